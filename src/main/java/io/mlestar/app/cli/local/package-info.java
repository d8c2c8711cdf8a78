/// A run that this process conducts: its start, its broker and its work, the lines that the
/// terminal shows meanwhile, and the summary at its end.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.phase`, `core.records`, `core.steering`, `core.result`, `core.engine`, `adapter.tool`,
/// `adapter.broker`, `adapter.model`, `adapter.grade`, `show.render`, `show.view`, `show.report`,
/// `app.console`, `app.program`, `app.start`.
@NullMarked
package io.mlestar.app.cli.local;

import org.jspecify.annotations.NullMarked;
