/// The walls around untrusted programs: which of them this machine has, whether they pass a
/// self-test, and the workspace behind them (`docs/security.md`).
///
/// Imports from the project: `core.base`, `core.store`.
@NullMarked
package io.mlestar.adapter.script.isolation;

import org.jspecify.annotations.NullMarked;
