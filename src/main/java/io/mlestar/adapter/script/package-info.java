/// Runs Python programs and shell commands that nobody has read, and makes sense of what they print
/// (`docs/requirements/EX.md`).
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `adapter.script.isolation`.
@NullMarked
package io.mlestar.adapter.script;

import org.jspecify.annotations.NullMarked;

import io.mlestar.adapter.script.isolation.Python;
