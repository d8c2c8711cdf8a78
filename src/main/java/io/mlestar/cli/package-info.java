/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `engine`, `bucket`, `sandbox`, `tool`, `broker`,
/// `console`, `llm`, `run`, `view`, `grade`, `report`, `telemetry`, `web`, `program`.
package io.mlestar.cli;
