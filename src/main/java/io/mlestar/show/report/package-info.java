/// The report of a run: one page that tells what was tried, what it gained and what it cost.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.agent`,
/// `core.phase`, `core.records`, `core.steering`, `core.result`, `core.engine`, `adapter.grade`,
/// `show.render`, `show.view`.
@NullMarked
package io.mlestar.show.report;

import org.jspecify.annotations.NullMarked;
