/// Writes and draws numbers, texts, differences and curves for people. Knows nothing of runs.
///
/// Imports from the project: `core.base`, `core.task`.
@NullMarked
package io.mlestar.show.render;

import org.jspecify.annotations.NullMarked;
