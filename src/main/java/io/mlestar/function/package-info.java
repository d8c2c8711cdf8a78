/// Funqy functions, one short method each, and what looks at an event before and after them; the only room with Funqy. Whatever
/// a function does is done by a plain object of another room.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `records`, `engine`, `sandbox`, `llm`, `run`,
/// `telemetry`, `http`, `program`.
@NullMarked
package io.mlestar.function;

import org.jspecify.annotations.NullMarked;
