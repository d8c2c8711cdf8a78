/// What a run looks at before it asks a model, by scripts: the machine, the data, and which rows
/// can be hidden; and how their output is read.
///
/// Imports from the project: `core.base`, `core.step`, `core.agent`.
@NullMarked
package io.mlestar.core.survey;

import org.jspecify.annotations.NullMarked;
