/// Runs untrusted Python programs and shell commands, and interprets what they print
/// (`src/test/requirements/EX.md`).
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.records`,
/// `core.survey`, `core.engine`, `adapter.script.isolation`.
@NullMarked
package io.mlestar.adapter.script;

import org.jspecify.annotations.NullMarked;

import io.mlestar.adapter.script.isolation.Python;
