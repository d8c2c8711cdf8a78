/// Durable execution. Runs phases by replay, does each step once, decides when a run has to finish,
/// and finds again what was lost.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.phase`, `core.records`, `core.steering`, `core.result`.
@NullMarked
package io.mlestar.core.engine;

import org.jspecify.annotations.NullMarked;
