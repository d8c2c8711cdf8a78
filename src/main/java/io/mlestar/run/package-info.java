/// Starts runs, does their steps with real models and scripts, and asks single agents outside any run.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `records`, `engine`, `bucket`, `isolation`,
/// `sandbox`, `grade`, `llm`.
@NullMarked
package io.mlestar.run;

import org.jspecify.annotations.NullMarked;
