/// Stores for everything that a run knows. Objects are created once and never changed; the first
/// one wins. Each store passes the same contract test.
///
/// Imports from the project: `core.base`.
@NullMarked
package io.mlestar.core.store;

import org.jspecify.annotations.NullMarked;
