/// The basics that every room may use: JSON and its schemas, digests, spelling, backoff, the errors
/// `Invalid` and `Unavailable`, the version of the program. Nothing here knows the paper.
///
/// Imports from the project: nothing.
@NullMarked
package io.mlestar.core.base;

import org.jspecify.annotations.NullMarked;
