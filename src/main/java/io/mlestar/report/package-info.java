/// The report of a run: one page that tells what was tried, what it gained and what it cost.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `records`, `engine`, `grade`, `view`, `render`.
@NullMarked
package io.mlestar.report;

import org.jspecify.annotations.NullMarked;
