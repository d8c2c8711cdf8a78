/// The ways in which providers of models are spoken to: one file each, behind [ModelProvider], and one row in [Protocol]. Which provider
/// uses which way, `models.yaml` says.
///
/// Imports from the project: `task`, `step`.
package io.mlestar.provider;
