/// Talks to the user of the program: log lines as text or JSON, warnings, failures in one line.
/// Control characters are shown, unless the program itself sends them.
///
/// Imports from the project: `core.base`.
@NullMarked
package io.mlestar.app.console;

import org.jspecify.annotations.NullMarked;
