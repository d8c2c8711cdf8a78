/// The survey of a run: scripts that look at the machine and the data and choose the rows that can
/// be hidden, before a model is asked; and the reading of their output.
///
/// Imports from the project: `core.base`, `core.step`, `core.agent`.
@NullMarked
package io.mlestar.core.survey;

import org.jspecify.annotations.NullMarked;
