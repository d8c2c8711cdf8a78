/// Ground floor: the one idea of the project. Everything that costs something is a step; a step is a record; a
/// phase is a record that runs. May import `task` only. No I/O, no clock.
package io.mlestar.step;
