/// The fourteen agents. One agent is one small record (its inputs, its prompt variables, the reading of its answer)
/// and one prompt file of the same name under `prompts/`. Never asks a model. Beside them lie the
/// programs that find out what the agents are told of the machine.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`.
@NullMarked
package io.mlestar.core.agent;

import org.jspecify.annotations.NullMarked;
