/// Upkeep of a whole store: removes runs, and tries whether a store keeps the rules.
///
/// Imports from the project: `core.base`, `core.step`, `core.store`, `core.records`.
@NullMarked
package io.mlestar.app.program.upkeep;

import org.jspecify.annotations.NullMarked;
