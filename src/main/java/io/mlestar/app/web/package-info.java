/// The pages about runs, with their server-sent events, and what the program says of its interfaces.
///
/// Imports from the project: `core.base`, `core.step`, `core.store`, `core.records`, `core.steering`, `core.result`,
/// `core.engine`, `show.view`, `show.report`, `app.http`.
@NullMarked
package io.mlestar.app.web;

import org.jspecify.annotations.NullMarked;
