/// The client side of the Model Context Protocol: the servers whose tools a user lends to agents (REQ-OR-010).
///
/// Imports from the project: `task`, `tool`.
@NullMarked
package io.mlestar.mcp;

import org.jspecify.annotations.NullMarked;
