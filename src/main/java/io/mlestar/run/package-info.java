/// Starts runs, does their steps with real models and scripts, and asks single agents outside any run.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `engine`, `bucket`, `sandbox`, `llm`.
@NullMarked
package io.mlestar.run;

import org.jspecify.annotations.NullMarked;
