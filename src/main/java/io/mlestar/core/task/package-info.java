/// The nouns of the paper as records that defend themselves (`src/test/requirements/DM.md`): task,
/// configuration, scripts, scores, results, and their JSON form. Nothing here does I/O.
///
/// Imports from the project: `core.base`.
@NullMarked
package io.mlestar.core.task;

import org.jspecify.annotations.NullMarked;
