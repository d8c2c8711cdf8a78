/// The pages about runs and the descriptions of the interfaces.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.records`,
/// `core.steering`, `core.result`, `core.engine`, `show.render`, `show.view`, `show.report`,
/// `app.http`, `app.program`, `app.start`.
@NullMarked
package io.mlestar.app.web;

import org.jspecify.annotations.NullMarked;
