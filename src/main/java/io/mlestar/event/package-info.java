/// CloudEvents between the functions: publishing to a broker, and an embedded broker for one machine.
///
/// Imports from the project: `task`, `step`, `agent`, `phase`.
package io.mlestar.event;
