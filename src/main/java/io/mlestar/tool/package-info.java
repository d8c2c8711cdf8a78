/// Third floor: what a language model may have done for it while it answers: reading, writing, shell commands, the web
/// (REQ-OR-008, REQ-OR-033). May import `sandbox`, `step` and `task`; speaks to no model.
package io.mlestar.tool;
