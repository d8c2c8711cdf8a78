/// A run on paper: the real engine and phases on a virtual clock, with made-up answers and scripts that take as long as somebody thinks
/// they will. Asks no model, runs no script, opens no connection.
///
/// Imports from the project: `task`, `step`, `agent`, `store`, `event`, `records`, `engine`, `render`.
@NullMarked
package io.mlestar.plan;

import org.jspecify.annotations.NullMarked;
