/// A first task file, made of what lies in a folder: where the data lie, what they look like, what is likely to be asked of them, and why that
/// is thought. Nothing here asks a model; whoever writes the file is told what was guessed.
///
/// Imports from the project: `task`, `agent`, `store`, `render`, `grade`.
@NullMarked
package io.mlestar.draft;

import org.jspecify.annotations.NullMarked;
