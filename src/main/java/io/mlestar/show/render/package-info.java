/// How numbers, texts, differences and curves are written and drawn for people. Knows nothing of
/// runs.
///
/// Imports from the project: `core.base`, `core.task`.
@NullMarked
package io.mlestar.show.render;

import org.jspecify.annotations.NullMarked;
