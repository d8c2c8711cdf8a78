/// The log tables of the requirements: what is written when a step is asked for, begins and ends.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`, `records`.
@NullMarked
package io.mlestar.log;

import org.jspecify.annotations.NullMarked;
