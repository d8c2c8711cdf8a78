/// CloudEvents between the functions: what they say, who publishes them, and which functions there
/// are.
///
/// Imports from the project: `core.base`, `core.task`, `core.step`, `core.agent`, `core.phase`.
@NullMarked
package io.mlestar.core.event;

import org.jspecify.annotations.NullMarked;
