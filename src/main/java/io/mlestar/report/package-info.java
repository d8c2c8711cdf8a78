/// Shows a run to people, from what the store knows: state, tree, report.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `llm`, `event`, `engine`, `view`, `grade`.
package io.mlestar.report;
