/// A first task file, made of what lies in a folder: where the data lie, what they look like, what
/// a user probably wants to predict, and why. No model is asked; the user sees each guess and its
/// reason.
///
/// Imports from the project: `core.base`, `core.task`, `core.store`, `core.survey`,
/// `adapter.grade`, `show.render`.
@NullMarked
package io.mlestar.app.cli.draft;

import org.jspecify.annotations.NullMarked;
