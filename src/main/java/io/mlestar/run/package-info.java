/// Starts runs, and does their steps with real models and scripts.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `engine`, `bucket`, `sandbox`, `llm`.
package io.mlestar.run;
