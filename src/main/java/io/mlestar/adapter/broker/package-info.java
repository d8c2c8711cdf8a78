/// How events get from function to function: to a broker of Knative's over HTTP, or by one that is
/// embedded, with retries and dead letters as Knative's have them, on one machine.
///
/// Imports from the project: `core.base`, `core.event`.
@NullMarked
package io.mlestar.adapter.broker;

import org.jspecify.annotations.NullMarked;
