/// Tools over MCP for coding assistants: the tools around a script, and runs from their start to
/// their grade.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.records`,
/// `core.steering`, `core.engine`, `adapter.tool`, `adapter.grade`, `show.render`, `show.view`,
/// `show.report`, `app.http`, `app.program`, `app.start`, `app.web`.
@NullMarked
package io.mlestar.app.mcp;

import org.jspecify.annotations.NullMarked;
