/// The fourteen agents. One agent is one small record (its inputs, its prompt variables, the
/// reading of its answer) and one prompt file of the same name under `prompts/`. Never asks a
/// model.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`.
@NullMarked
package io.mlestar.core.agent;

import org.jspecify.annotations.NullMarked;
