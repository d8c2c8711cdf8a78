/// Starts runs, and does their steps with real models and scripts.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `bucket`, `sandbox`, `llm`, `engine`.
package io.mlestar.run;
