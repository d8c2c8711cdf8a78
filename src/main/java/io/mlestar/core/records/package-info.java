/// The records of a run in the store: requests, attempts, results and marks, each written once and
/// never changed. This room writes and reads them; the engine decides what happens next.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.agent`, `core.phase`.
@NullMarked
package io.mlestar.core.records;

import org.jspecify.annotations.NullMarked;
