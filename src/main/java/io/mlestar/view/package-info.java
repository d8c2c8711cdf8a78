/// The read model: a run and its steps, typed, as a fold over the records in the store. Command line, pages, report, metrics and traces read
/// this; nobody else goes through the steps of a run or reads a result by the names of its fields.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `store`, `records`, `engine`, `llm`, `render`.
@NullMarked
package io.mlestar.view;

import org.jspecify.annotations.NullMarked;
