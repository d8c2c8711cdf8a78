/// Funqy functions, one short method each, and HTTP pages; the only room with Funqy. Whatever a function does is
/// done by a plain object of another room.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `bucket`, `sandbox`, `tool`, `llm`, `mcp`, `event`, `engine`,
/// `log`, `run`, `grade`, `report`.
package io.mlestar.function;
