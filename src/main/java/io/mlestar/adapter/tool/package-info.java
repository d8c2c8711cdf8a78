/// The tools that a language model may use while it answers: reading, writing, shell commands, the
/// web (REQ-OR-008, REQ-OR-033). Speaks to no model.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `adapter.script.isolation`,
/// `adapter.script`.
@NullMarked
package io.mlestar.adapter.tool;

import org.jspecify.annotations.NullMarked;
