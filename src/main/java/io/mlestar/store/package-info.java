/// Where everything a run knows is kept. Objects are created once and never changed; the first one wins. Each store
/// passes the same contract test.
///
/// Imports from the project: `task`.
package io.mlestar.store;
