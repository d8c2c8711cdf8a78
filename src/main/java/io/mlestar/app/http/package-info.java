/// HTTP before and after the work: access, what one process serves, which event a request carries,
/// how a failure is answered.
///
/// Imports from the project: `core.base`, `core.step`, `core.store`, `core.event`.
@NullMarked
package io.mlestar.app.http;

import org.jspecify.annotations.NullMarked;
