/// Runs Python programs and shell commands that nobody has read, and makes sense of what they print
/// (`docs/requirements/EX.md`).
///
/// Imports from the project: `task`, `step`.
package io.mlestar.sandbox;
