/// The servers of the Model Context Protocol whose tools a user lends to agents (REQ-OR-010).
/// LangChain4j's client speaks the protocol; the connections with their bounds, and the names of
/// the tools, are here.
///
/// Imports from the project: `core.base`, `core.task`, `adapter.tool`.
@NullMarked
package io.mlestar.adapter.model.mcp;

import org.jspecify.annotations.NullMarked;
