/// The only way to models (REQ-SF-042, REQ-P1-039). A question goes in, a raw answer with its usage comes out; nobody else in
/// the project speaks to a model.
///
/// Imports from the project: `task`, `step`, `agent`, `bucket`, `tool`, `provider`.
@NullMarked
package io.mlestar.llm;

import org.jspecify.annotations.NullMarked;
