/// Funqy functions, one short method each; the only room with Funqy. Plain objects of other rooms
/// do the work.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.agent`, `core.records`, `core.engine`, `adapter.script`, `adapter.bucket`,
/// `adapter.model`, `show.telemetry`, `app.http`, `app.program`, `app.start`.
@NullMarked
package io.mlestar.app.function;

import org.jspecify.annotations.NullMarked;
