/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `engine`, `bucket`, `sandbox`, `tool`, `llm`, `broker`,
/// `run`, `view`, `grade`, `report`, `telemetry`, `web`, `program`, `console`.
package io.mlestar.cli;
