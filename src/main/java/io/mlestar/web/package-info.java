/// The pages about runs, with their server-sent events, and what the program says of its interfaces.
///
/// Imports from the project: `task`, `step`, `store`, `records`, `engine`, `http`, `view`, `report`.
@NullMarked
package io.mlestar.web;

import org.jspecify.annotations.NullMarked;
