/// Metrics and traces: what happens in this process, for those who operate it.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`, `core.records`,
/// `adapter.broker`, `adapter.model`, `show.view`.
@NullMarked
package io.mlestar.show.telemetry;

import org.jspecify.annotations.NullMarked;
