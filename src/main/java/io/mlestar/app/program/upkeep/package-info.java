/// What is done to a store as a whole: removing runs, and trying whether it keeps the rules of a
/// store.
///
/// Imports from the project: `core.base`, `core.step`, `core.store`, `core.records`.
@NullMarked
package io.mlestar.app.program.upkeep;

import org.jspecify.annotations.NullMarked;
