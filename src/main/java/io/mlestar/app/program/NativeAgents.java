package io.mlestar.app.program;

import io.mlestar.core.step.Agent;
import io.quarkus.runtime.annotations.RegisterForReflection;

/// Whatever asks an agent, for a native image: each record that is an [Agent], without a list.
@RegisterForReflection(targets = Agent.class, registerFullHierarchy = true)
public final class NativeAgents {
    private NativeAgents() {}
}
