/// Runs Python programs and shell commands that nobody has read, and makes sense of what they print (part 02 of the
/// requirements).
///
/// Imports from the project: `task`, `step`.
package io.mlestar.sandbox;
