/// What is done to a store as a whole: reading all of its records, removing runs, and trying whether it keeps the rules of a store.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.phase`, `core.records`, `core.steering`, `core.result`.
@NullMarked
package io.mlestar.app.program.upkeep;

import org.jspecify.annotations.NullMarked;
