/// Third floor: runs Python programs and shell commands that nobody has read, and makes sense of what they print (part 02 of the
/// requirements, DESIGN 8). May import `task` and `step`.
package io.mlestar.sandbox;
