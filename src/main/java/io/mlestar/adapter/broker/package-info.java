/// Delivers events from function to function: to Knative's broker over HTTP, or on one machine by
/// an embedded broker, with retries and dead letters as Knative has them.
///
/// Imports from the project: `core.base`, `core.event`.
@NullMarked
package io.mlestar.adapter.broker;

import org.jspecify.annotations.NullMarked;
