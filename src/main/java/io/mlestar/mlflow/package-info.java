/// Tells an MLflow tracking server of runs, for those who compare experiments there. Reads the read model; nothing waits for it.
///
/// Imports from the project: `task`, `step`, `store`, `records`, `view`, `report`.
@NullMarked
package io.mlestar.mlflow;

import org.jspecify.annotations.NullMarked;
