/// Scores a submission against the answers, as a competition would.
///
/// Imports from the project: `task`, `render`.
package io.mlestar.grade;
