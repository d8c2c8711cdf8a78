/// What a language model may have done for it while it answers: reading, writing, shell commands, the web (REQ-OR-008,
/// REQ-OR-033). Speaks to no model.
///
/// Imports from the project: `task`, `step`, `isolation`, `sandbox`.
@NullMarked
package io.mlestar.tool;

import org.jspecify.annotations.NullMarked;
