/// The command line. Reads arguments and files, prints; the work is done elsewhere.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `records`, `bucket`, `sandbox`, `grade`,
<<<<<<< HEAD
/// `draft`, `bench`, `render`, `console`, `llm`, `run`, `view`, `report`, `telemetry`, `program`, `local`.
=======
/// `draft`, `render`, `console`, `llm`, `run`, `plan`, `view`, `report`, `telemetry`, `program`, `local`.
>>>>>>> b2c5248 (Run benchmarks from the Python package, with MLE-bench's own graders where they are installed)
@NullMarked
package io.mlestar.cli;

import org.jspecify.annotations.NullMarked;
