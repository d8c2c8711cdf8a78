/// Scores a submission against the answers, as a competition would.
///
/// Imports from the project: `core.base`, `core.task`, `show.render`.
@NullMarked
package io.mlestar.show.grade;

import org.jspecify.annotations.NullMarked;
