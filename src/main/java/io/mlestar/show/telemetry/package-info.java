/// Metrics and traces of this process, for operators.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.records`, `adapter.broker`, `adapter.model`, `show.view`.
@NullMarked
package io.mlestar.show.telemetry;

import org.jspecify.annotations.NullMarked;
