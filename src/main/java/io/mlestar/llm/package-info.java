/// Third floor: the one door to models (REQ-SF-042, REQ-P1-039). A question goes in, a raw answer with its usage comes
/// out; nobody else in the project speaks to a model. May import `agent`, `step` and `task`.
package io.mlestar.llm;
