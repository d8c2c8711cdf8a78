/// HTTP before anything is done: who is let in, which event a request carries, how a failure is answered.
///
/// Imports from the project: `core.base`, `core.step`, `core.store`, `core.event`.
@NullMarked
package io.mlestar.app.http;

import org.jspecify.annotations.NullMarked;
