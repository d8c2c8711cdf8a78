/// The walls around programs that nobody has read: which there are on this machine, how strong they prove to be when an escape is
/// tried, and the workspace behind them (`docs/security.md`).
///
/// Imports from the project: `task`, `store`.
@NullMarked
package io.mlestar.isolation;

import org.jspecify.annotations.NullMarked;
