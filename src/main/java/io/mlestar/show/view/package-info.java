/// The read model: a run and its steps, typed, as a fold over the records in the store. Command
/// line, pages, report, metrics and traces read this. Outside the wing `core`, no other room goes
/// through the steps of a run (`LayoutTest`) or reads a result by the names of its fields.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.agent`,
/// `core.phase`, `core.records`, `core.steering`, `core.result`, `core.engine`, `adapter.model`,
/// `show.render`.
@NullMarked
package io.mlestar.show.view;

import org.jspecify.annotations.NullMarked;
