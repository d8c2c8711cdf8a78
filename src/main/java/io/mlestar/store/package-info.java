/// Third floor: where everything a run knows is kept. Objects are created once and never changed; first wins.
/// May import `task`. The folder store and any other pass the same contract test.
package io.mlestar.store;
