/// The log tables of the requirements: the lines of a step that is asked for, starts and ends.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.agent`, `core.phase`,
/// `core.records`, `show.render`.
@NullMarked
package io.mlestar.show.log;

import org.jspecify.annotations.NullMarked;
