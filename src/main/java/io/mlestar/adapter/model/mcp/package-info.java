/// The client side of the Model Context Protocol: the servers whose tools a user lends to agents (REQ-OR-010).
///
/// Imports from the project: `core.base`, `core.task`, `adapter.tool`.
@NullMarked
package io.mlestar.adapter.model.mcp;

import org.jspecify.annotations.NullMarked;
