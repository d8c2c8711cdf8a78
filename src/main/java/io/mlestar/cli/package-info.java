/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `engine`, `bucket`, `sandbox`, `tool`, `broker`,
/// `render`, `grade`, `console`, `llm`, `run`, `view`, `report`, `telemetry`, `web`, `program`.
package io.mlestar.cli;
