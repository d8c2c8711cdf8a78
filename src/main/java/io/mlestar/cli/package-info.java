/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `bucket`, `sandbox`, `tool`, `llm`, `event`, `engine`, `log`, `run`,
/// `render`, `view`, `grade`, `report`, `telemetry`, `web`, `function`.
package io.mlestar.cli;
