/// Runs Python programs and shell commands that nobody has read, and makes sense of what they print
/// (`docs/requirements/EX.md`).
///
/// Imports from the project: `task`, `step`, `isolation`.
@NullMarked
package io.mlestar.sandbox;

import org.jspecify.annotations.NullMarked;

import io.mlestar.isolation.Python;
