/// Puts the rooms together to one program, and looks after what runs in it.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `event`, `engine`, `bucket`, `sandbox`, `tool`,
/// `broker`, `log`, `mcp`, `llm`, `run`, `view`, `grade`, `report`, `telemetry`, `web`.
package io.mlestar.program;

