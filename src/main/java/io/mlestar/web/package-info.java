/// HTTP: who is let in, how a failure is answered, the pages about runs with their server-sent events, and tools over MCP.
///
/// Imports from the project: `task`, `step`, `store`, `event`, `records`, `engine`, `tool`, `view`, `report`.
@NullMarked
package io.mlestar.web;

import org.jspecify.annotations.NullMarked;
