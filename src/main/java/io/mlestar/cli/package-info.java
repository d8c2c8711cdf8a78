/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `records`, `bucket`, `sandbox`, `grade`, `draft`,
/// `llm`, `run`, `view`, `report`, `render`, `telemetry`, `console`, `program`, `local`.
@NullMarked
package io.mlestar.cli;

import org.jspecify.annotations.NullMarked;
