/// The records of a run in the store: what was asked, tried, answered and told, each written once and never changed. Makes and reads
/// them all; what is done next is decided elsewhere.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`, `core.agent`, `core.phase`.
@NullMarked
package io.mlestar.core.records;

import org.jspecify.annotations.NullMarked;
