/// Scores submissions against labels, as a competition would: a run's own on labels that it never
/// saw, and each script's on the rows that the harness hides; blends and compares predictions.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.records`,
/// `core.engine`.
@NullMarked
package io.mlestar.adapter.grade;

import org.jspecify.annotations.NullMarked;
