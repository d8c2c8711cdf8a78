/// A whole run in one process: its broker and its work, the line-by-line tale of it on the terminal, and what is printed at its end.
///
/// Imports from the project: `task`, `step`, `phase`, `store`, `event`, `records`, `engine`, `tool`, `broker`, `grade`,
/// `view`, `report`, `render`, `console`.
@NullMarked
package io.mlestar.local;

import org.jspecify.annotations.NullMarked;
