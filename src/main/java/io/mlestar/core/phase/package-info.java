/// The paper. Each phase is a record whose `run` reads like the pseudo-code of Algorithms 1 to 3
/// and knows nothing of events, clocks, files or models.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.agent`, `core.survey`.
@NullMarked
package io.mlestar.core.phase;

import org.jspecify.annotations.NullMarked;
