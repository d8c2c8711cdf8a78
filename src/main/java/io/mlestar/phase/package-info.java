/// Second floor: the paper. Each phase is a record whose `run` reads like the pseudo-code of Algorithms 1 to 3 and
/// knows nothing of events, clocks, files or models. May import `task`, `step` and `agent`.
package io.mlestar.phase;
