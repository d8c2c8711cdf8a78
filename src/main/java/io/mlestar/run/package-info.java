/// Third floor: the engine. Runs phases by replay, does steps once, decides when a run has to finish, and finds
/// again what was lost. May import everything below the doors.
package io.mlestar.run;
