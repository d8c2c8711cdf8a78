/// What a run looks at before it asks a model: the machine and the data, by two scripts, and how their output is read.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.agent`.
@NullMarked
package io.mlestar.core.survey;

import org.jspecify.annotations.NullMarked;
