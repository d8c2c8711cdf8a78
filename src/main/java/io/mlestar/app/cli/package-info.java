/// The command line: reads arguments and files, and prints. Other rooms do the work.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.agent`, `core.survey`, `core.records`, `core.steering`, `core.result`, `adapter.script`,
/// `adapter.bucket`, `adapter.model`, `adapter.grade`, `show.render`, `show.view`, `show.report`,
/// `app.cli.draft`, `app.cli.local`, `app.console`, `app.program.upkeep`, `app.program`,
/// `app.start`.
@NullMarked
package io.mlestar.app.cli;

import org.jspecify.annotations.NullMarked;
