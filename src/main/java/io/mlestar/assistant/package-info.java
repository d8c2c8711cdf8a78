/// Tools over MCP for coding assistants, and for whoever else speaks it: the tools around a script, and runs from their start to their grade.
///
/// Imports from the project: `task`, `step`, `store`, `records`, `engine`, `http`, `render`, `tool`, `grade`, `run`, `view`, `report`,
/// `web`, `program`.
@NullMarked
package io.mlestar.assistant;

import org.jspecify.annotations.NullMarked;
