/// Puts the rooms together to one program, and looks after what runs in it.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `event`, `records`, `engine`, `bucket`,
/// `isolation`, `sandbox`, `tool`, `broker`, `log`, `grade`, `mcp`, `llm`, `run`, `view`, `report`, `telemetry`,
/// `http`, `console`.
@NullMarked
package io.mlestar.program;

import org.jspecify.annotations.NullMarked;
