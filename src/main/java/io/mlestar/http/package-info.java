/// HTTP before anything is done: who is let in, which event a request carries, how a failure is answered.
///
/// Imports from the project: `task`, `step`, `store`, `event`.
@NullMarked
package io.mlestar.http;

import org.jspecify.annotations.NullMarked;
