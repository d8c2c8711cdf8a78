/// The fourteen agents. One agent is one small record (its inputs, its prompt variables, the
/// reading of its answer) and one prompt file of the same name under `prompts/`. Texts that several
/// prompts share, or that a prompt holds in some runs only, are resources in `prompts/parts/`.
/// Never asks a model.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`.
@NullMarked
package io.mlestar.core.agent;

import org.jspecify.annotations.NullMarked;
