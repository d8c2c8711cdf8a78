/// The nouns of the paper as records that defend themselves (part 01 of the requirements): task, configuration, scripts,
/// scores, results, and their JSON form. Nothing here does I/O.
///
/// Imports from the project: nothing.
package io.mlestar.task;
