/// How the program speaks to whoever started it: log lines as text or JSON, warnings, failures in one line, and no control character
/// that is not its own.
///
/// Imports from the project: `task`.
@NullMarked
package io.mlestar.console;

import org.jspecify.annotations.NullMarked;
