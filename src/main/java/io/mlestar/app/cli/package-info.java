/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`, `core.agent`,
/// `core.survey`, `core.records`, `core.steering`, `core.result`, `adapter.script`, `adapter.bucket`, `adapter.model`,
/// `show.render`, `show.view`, `show.report`, `show.grade`, `app.console`, `app.draft`, `app.local`, `app.program`,
/// `app.start`.
@NullMarked
package io.mlestar.app.cli;

import org.jspecify.annotations.NullMarked;
