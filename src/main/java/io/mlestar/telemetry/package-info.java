/// Metrics and traces: what happens in this process, for those who operate it.
///
/// Imports from the project: `task`, `step`, `store`, `event`, `records`, `broker`, `llm`, `view`.
@NullMarked
package io.mlestar.telemetry;

import org.jspecify.annotations.NullMarked;
