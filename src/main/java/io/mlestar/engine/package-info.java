/// Durable execution. Runs phases by replay, does each step once, decides when a run has to finish, and finds
/// again what was lost.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `event`, `records`.
@NullMarked
package io.mlestar.engine;

import org.jspecify.annotations.NullMarked;
