package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Spelling;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The fourteen agents of the paper (REQ-DM-013). [#id] is the name in JSON, in URLs and in event
/// types.
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum AgentType {
    RETRIEVER, INIT, MERGER, ABLATION, SUMMARIZE, EXTRACTOR, CODER, PLANNER, ENS_PLANNER, ENSEMBLER,
    DEBUGGER, LEAKAGE, DATA, TEST;

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<AgentType> of(String id) {
        return Stream.of(values()).filter(type -> type.id().equals(id)).findFirst();
    }

    /// The question whether another one was meant; empty if none is like it.
    public static String meant(String id) {
        return Spelling.question(id, Stream.of(values()).map(AgentType::id).toList());
    }
}
