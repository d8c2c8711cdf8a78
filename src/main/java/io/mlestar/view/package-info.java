/// A run as people look at it.
///
/// Imports from the project: nothing.
package io.mlestar.view;
