/// Metrics and traces: what happens in this process, for those who operate it.
///
/// Imports from the project: `task`, `step`, `store`, `event`, `engine`, `llm`, `broker`, `view`.
package io.mlestar.telemetry;

