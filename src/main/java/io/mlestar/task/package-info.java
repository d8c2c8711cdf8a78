/// The nouns of the paper as records that defend themselves (`docs/requirements/DM.md`): task, configuration, scripts,
/// scores, results, and their JSON form; and what may be tried again, and after which pauses. Nothing here does I/O.
///
/// Imports from the project: nothing.
@NullMarked
package io.mlestar.task;

import org.jspecify.annotations.NullMarked;
