package io.mlestar.run;

import io.mlestar.task.AgentType;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Price;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/// What the algorithms ask for with some settings: one of the programs crashes, one merging does not help, and no answer is asked for again. It is
/// compared with whole runs in docs/getting-the-best.md, where the tokens come from, too. Real models think, and real scripts are longer: both
/// cost several times as much.
///
/// @param calls of each agent
/// @param scripts that are run
/// @param callsInARow that cannot be made side by side
/// @param scriptsInARow that cannot, or have no slot to
public record RunEstimate(Map<AgentType, Integer> calls, int scripts, int callsInARow, int scriptsInARow) {
    /// An assumption of the same document.
    private static final int SECONDS_OF_A_CALL = 30;
    private static final int CRASHES = 1;

    /// Agents whose calls are alike, with the tokens of a default run's.
    private enum Duty {
        WRITES_PROGRAMS(45, 168_500, 37_700), DECIDES(46, 178_600, 25_800), CHECKS(54, 252_300, 6_600);

        private final int calls;
        private final long inputTokens;
        private final long outputTokens;

        Duty(int calls, long inputTokens, long outputTokens) {
            this.calls = calls;
            this.inputTokens = inputTokens;
            this.outputTokens = outputTokens;
        }

        static Duty of(AgentType agent) {
            return switch (agent) {
                case INIT, MERGER, ENSEMBLER, TEST, DEBUGGER, CODER -> WRITES_PROGRAMS;
                case ABLATION, EXTRACTOR, PLANNER, ENS_PLANNER, RETRIEVER -> DECIDES;
                case LEAKAGE, SUMMARIZE, DATA -> CHECKS;
            };
        }

        double dollars(int made, Price price) {
            return price.of(inputTokens, outputTokens, 0, 0) * made / calls;
        }
    }

    /// @param slots how many scripts can run at once
    public static RunEstimate of(PipelineConfig config, int slots) {
        int models = config.numRetrievedModels();
        int merged = Math.min(1, models - 1);
        int paths = config.numParallelSolutions();
        int blocks = paths * config.outerLoopSteps();
        int attempts = config.innerLoopSteps();
        // One path alone leaves nothing to be put together.
        int rounds = paths == 1 ? 0 : config.ensembleRounds();
        int batches = batches(attempts, config.attemptsAtOnce());

        Map<AgentType, Integer> calls = new EnumMap<>(AgentType.class);
        calls.put(AgentType.RETRIEVER, 1);
        calls.put(AgentType.INIT, models);
        calls.put(AgentType.MERGER, merged);
        calls.put(AgentType.DATA, 1);
        List.of(AgentType.ABLATION, AgentType.SUMMARIZE, AgentType.EXTRACTOR).forEach(agent -> calls.put(agent, blocks));
        calls.put(AgentType.PLANNER, blocks * (attempts - 1));
        calls.put(AgentType.CODER, blocks * attempts);
        calls.put(AgentType.ENS_PLANNER, rounds);
        calls.put(AgentType.ENSEMBLER, rounds);
        calls.put(AgentType.DEBUGGER, CRASHES);
        // The block that subsamples is looked for, too.
        calls.put(AgentType.TEST, 2);
        int solutions = models + merged + 1 + blocks * attempts + rounds + 1;
        calls.put(AgentType.LEAKAGE, solutions + CRASHES);

        int ofPhase1 = 1 + 2 + 2 * merged + 2;
        int ofPath = config.outerLoopSteps() * (3 + attempts - 1 + 2 * batches);
        int ofPhase3 = rounds + 2 * batches(rounds, config.roundsAtOnce()) + 2 * CRASHES;
        int scriptsOfPaths = config.outerLoopSteps()
                * (batches(paths, slots) + batches(attempts * paths, Math.min(slots, paths * config.attemptsAtOnce())));
        return new RunEstimate(calls, solutions + blocks, ofPhase1 + ofPath + ofPhase3 + 3,
                batches(models, slots) + merged + 1 + scriptsOfPaths + batches(rounds, Math.min(slots, config.roundsAtOnce())) + 1);
    }

    private static int batches(int things, int atOnce) {
        return (things + atOnce - 1) / atOnce;
    }

    public int callCount() {
        return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// What the calls cost by the list prices, with nothing read from a cache.
    ///
    /// @param prices of the models that the agents ask; empty where unknown
    /// @return empty if a price is unknown
    public OptionalDouble dollars(Function<AgentType, Optional<Price>> prices) {
        double sum = 0;
        for (Map.Entry<AgentType, Integer> made : calls.entrySet()) {
            Optional<Price> price = prices.apply(made.getKey());
            if (price.isEmpty()) {
                return OptionalDouble.empty();
            }
            sum += Duty.of(made.getKey()).dollars(made.getValue(), price.get());
        }
        return OptionalDouble.of(sum);
    }

    /// How long the models take, at half a minute for each call that has to wait for another.
    public int modelSeconds() {
        return callsInARow * SECONDS_OF_A_CALL;
    }
}
