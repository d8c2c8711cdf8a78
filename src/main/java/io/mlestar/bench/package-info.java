/// A benchmark: competitions by seeds by contestants, graded by the rules of MLE-bench, as a table. What runs the cells is elsewhere.
///
/// Imports from the project: `task`, `render`, `grade`, `report`.
@NullMarked
package io.mlestar.bench;

import org.jspecify.annotations.NullMarked;
