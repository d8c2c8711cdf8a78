/// CloudEvents between the functions: what they say, who publishes them, and which functions there are.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`.
@NullMarked
package io.mlestar.event;

import org.jspecify.annotations.NullMarked;
