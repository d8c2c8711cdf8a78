/// Stores and data sets in an S3 bucket, and the choice of a store by its address.
///
/// Imports from the project: `core.base`, `core.store`.
@NullMarked
package io.mlestar.adapter.bucket;

import org.jspecify.annotations.NullMarked;
