/// How the program speaks to whoever started it: log lines as text or JSON, warnings, failures in one line, and no control character
/// that is not its own.
///
/// Imports from the project: `core.base`, `core.task`.
@NullMarked
package io.mlestar.app.console;

import org.jspecify.annotations.NullMarked;
