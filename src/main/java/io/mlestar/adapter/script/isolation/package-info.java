/// The walls around programs that nobody has read: which there are on this machine, how strong they prove to be when an escape is
/// tried, and the workspace behind them (`docs/security.md`).
///
/// Imports from the project: `core.base`, `core.store`.
@NullMarked
package io.mlestar.adapter.script.isolation;

import org.jspecify.annotations.NullMarked;
