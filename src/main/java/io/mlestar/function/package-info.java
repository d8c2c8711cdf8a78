/// Top floor: the doors. Funqy functions, one short method each, and HTTP pages; the only room with Funqy and
/// CloudEvents of other makers. Whatever a function does is done by a plain object of a lower floor.
package io.mlestar.function;
