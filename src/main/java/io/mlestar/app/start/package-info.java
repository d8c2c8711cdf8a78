/// Starts runs, estimates them, does their steps with real models and scripts, and asks single
/// agents outside any run.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.event`,
/// `core.agent`, `core.phase`, `core.records`, `core.engine`, `adapter.script.isolation`,
/// `adapter.script`, `adapter.tool`, `adapter.bucket`, `adapter.model`, `adapter.grade`.
@NullMarked
package io.mlestar.app.start;

import org.jspecify.annotations.NullMarked;
