/// Scores a submission against the answers, as a competition would.
///
/// Imports from the project: `task`, `render`.
@NullMarked
package io.mlestar.grade;

import org.jspecify.annotations.NullMarked;
