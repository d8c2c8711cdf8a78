/// Third floor: CloudEvents between the functions. Publishing to a broker, and a broker of our own for one machine.
/// May import `task` and `step`.
package io.mlestar.event;
