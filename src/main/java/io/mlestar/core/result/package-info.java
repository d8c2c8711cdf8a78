/// The end of a run: the published files, the tally, the last resort.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.agent`, `core.phase`, `core.records`, `core.steering`.
@NullMarked
package io.mlestar.core.result;

import org.jspecify.annotations.NullMarked;
