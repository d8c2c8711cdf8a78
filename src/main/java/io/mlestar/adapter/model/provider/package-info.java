/// The ways in which providers of models are spoken to: one file each, behind [ModelProvider], and
/// one row in [Protocol]. Which provider uses which way, `models.yaml` says.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`.
@NullMarked
package io.mlestar.adapter.model.provider;

import org.jspecify.annotations.NullMarked;
