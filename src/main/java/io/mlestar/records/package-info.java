/// The records of a run in the store: what was asked, tried, answered and told, each written once and never changed. Makes and reads
/// them all; what is done next is decided elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `event`.
package io.mlestar.records;
