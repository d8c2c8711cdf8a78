/// Funqy functions, one short method each, and what looks at an event before and after them; the only room with Funqy. Whatever
/// a function does is done by a plain object of another room.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`, `core.agent`,
/// `core.records`, `core.engine`, `adapter.script`, `adapter.model`, `show.telemetry`, `app.http`, `app.program`,
/// `app.start`.
@NullMarked
package io.mlestar.app.function;

import org.jspecify.annotations.NullMarked;
