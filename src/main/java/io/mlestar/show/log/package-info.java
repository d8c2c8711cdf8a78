/// The log tables of the requirements: what is written when a step is asked for, begins and ends.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.agent`, `core.phase`, `core.survey`,
/// `core.records`.
@NullMarked
package io.mlestar.show.log;

import org.jspecify.annotations.NullMarked;
