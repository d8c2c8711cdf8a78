/// The records of a run in the store: what was asked, tried, answered and told, each written once and never changed. Makes and reads
/// them all; what is done next is decided elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `event`.
@NullMarked
package io.mlestar.records;

import org.jspecify.annotations.NullMarked;
