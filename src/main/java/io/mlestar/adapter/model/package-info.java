/// The only way to models (REQ-SF-042, REQ-P1-039). A question goes in, a raw answer with its usage
/// comes out; no other room speaks to a model.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.store`, `core.records`,
/// `core.agent`, `adapter.tool`, `adapter.bucket`, `adapter.model.provider`.
@NullMarked
package io.mlestar.adapter.model;

import org.jspecify.annotations.NullMarked;
