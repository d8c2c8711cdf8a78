/// The one idea of the project. Everything that costs something is a step; a step is a record; a
/// phase is a record that runs. No I/O, no clock.
///
/// Imports from the project: `core.base`, `core.task`.
@NullMarked
package io.mlestar.core.step;

import org.jspecify.annotations.NullMarked;
