/// Scores a submission against the answers, as a competition would.
///
/// Imports from the project: `task`, `view`.
package io.mlestar.grade;
