/// Composes the program, checks machine and store, and supervises the runs of a server.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.agent`, `core.survey`, `core.records`, `core.result`, `core.engine`,
/// `adapter.script.isolation`, `adapter.script`, `adapter.tool`, `adapter.bucket`,
/// `adapter.broker`, `adapter.model.mcp`, `adapter.model`, `show.log`, `show.report`,
/// `show.telemetry`, `app.console`, `app.http`, `app.start`, `app.program.upkeep`.
@NullMarked
package io.mlestar.app.program;

import org.jspecify.annotations.NullMarked;
