package io.mlestar.app.cli;

import io.mlestar.core.task.AgentType;

/// What a call costs in tokens, by what its agent is for, as measured for `docs/getting-the-best.md` ("What a default run asks"). Scripts of a
/// real competition are longer.
enum CallSize {
    WRITES_PROGRAMS(45, 169, 38),
    DECIDES(46, 179, 26),
    READS(54, 252, 7);

    private static final long THOUSAND = 1000;

    /// What a default run asked of these agents.
    final int calls;
    /// In thousands of tokens, all calls together.
    final int input;
    final int output;

    CallSize(int calls, int input, int output) {
        this.calls = calls;
        this.input = input;
        this.output = output;
    }

    static CallSize of(AgentType agent) {
        return switch (agent) {
            case INIT, MERGER, ENSEMBLER, TEST, DEBUGGER, CODER -> WRITES_PROGRAMS;
            case ABLATION, EXTRACTOR, PLANNER, ENS_PLANNER, RETRIEVER -> DECIDES;
            case LEAKAGE, SUMMARIZE, DATA -> READS;
        };
    }

    long inputTokens() {
        return THOUSAND * input / calls;
    }

    long outputTokens() {
        return THOUSAND * output / calls;
    }
}
