/// A whole run in one process: its broker and its work, the line-by-line tale of it on the terminal, and what is printed at its end.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`, `core.phase`,
/// `core.records`, `core.steering`, `core.result`, `core.engine`, `adapter.tool`, `adapter.broker`, `show.render`,
/// `show.view`, `show.report`, `show.grade`, `app.console`.
@NullMarked
package io.mlestar.app.local;

import org.jspecify.annotations.NullMarked;
