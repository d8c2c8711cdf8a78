/// Requests that people make of a run while it goes on: notes, extensions of its limits, an early
/// end.
///
/// Imports from the project: `core.base`, `core.step`, `core.store`, `core.records`.
@NullMarked
package io.mlestar.core.steering;

import org.jspecify.annotations.NullMarked;
