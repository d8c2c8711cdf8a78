/// A first task file, made of what lies in a folder: where the data lie, what they look like, what is likely to be asked of them, and why that
/// is thought. Nothing here asks a model; whoever writes the file is told what was guessed.
///
/// Imports from the project: `core.base`, `core.task`, `core.store`, `core.survey`, `show.render`, `show.grade`.
@NullMarked
package io.mlestar.app.draft;

import org.jspecify.annotations.NullMarked;
