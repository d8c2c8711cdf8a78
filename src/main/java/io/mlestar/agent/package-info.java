/// First floor: the fourteen agents. One agent is one small record (its inputs, its prompt variables, the reading
/// of its answer) and one prompt file of the same name under `prompts/`. May import `task` and `step`. Never asks a model.
package io.mlestar.agent;
