/// How numbers, texts, differences and curves are written and drawn for people. Knows nothing of runs.
///
/// Imports from the project: `task`.
@NullMarked
package io.mlestar.render;

import org.jspecify.annotations.NullMarked;
