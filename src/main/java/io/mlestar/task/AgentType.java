package io.mlestar.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The fourteen agents of the paper (REQ-DM-013). [#id] is the name in JSON, in URLs and in event types.
public enum AgentType {
    @JsonProperty("retriever")
    RETRIEVER,
    @JsonProperty("init")
    INIT,
    @JsonProperty("merger")
    MERGER,
    @JsonProperty("ablation")
    ABLATION,
    @JsonProperty("summarize")
    SUMMARIZE,
    @JsonProperty("extractor")
    EXTRACTOR,
    @JsonProperty("coder")
    CODER,
    @JsonProperty("planner")
    PLANNER,
    @JsonProperty("ens_planner")
    ENS_PLANNER,
    @JsonProperty("ensembler")
    ENSEMBLER,
    @JsonProperty("debugger")
    DEBUGGER,
    @JsonProperty("leakage")
    LEAKAGE,
    @JsonProperty("data")
    DATA,
    @JsonProperty("test")
    TEST;

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<AgentType> of(String id) {
        return Stream.of(values()).filter(type -> type.id().equals(id)).findFirst();
    }
}
