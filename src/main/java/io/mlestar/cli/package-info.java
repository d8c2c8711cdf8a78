/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `bucket`, `sandbox`, `tool`, `llm`, `mcp`, `event`, `engine`, `log`,
/// `run`, `view`, `grade`, `report`, `function`.
package io.mlestar.cli;
