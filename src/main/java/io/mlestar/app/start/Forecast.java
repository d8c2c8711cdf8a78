package io.mlestar.app.start;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.SearchSettings.EnsembleBy;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// An estimate of a run in which each loop runs its full length, no script crashes, each answer can be read and nothing leaks. Calls and scripts follow from
/// the lengths of the loops (Algorithms 1 to 3) and the settings of the search, hours from how many scripts can run at once.
///
/// @param slots how many scripts can run at once, at least 1
/// @param scripts that train something; the program's own, of survey and blend, are not counted
/// @param attempts of Phase 2, each a script
/// @param hours of wall-clock time, if nothing cuts the run short
/// @param costUsd of all calls, with nothing from a cache; null if a model's price is unknown
/// @param bound what the run waits for most: `scripts`, `models` or `slots`
/// @param cut which limit of the settings ends the run earlier; null if none does
public record Forecast(int slots, int calls, int scripts, int attempts, double hours, @Nullable Double costUsd, String bound, @Nullable String cut) {
    private static final double HOUR_SECONDS = 3600;
    /// An ablation study is written to end within its own limit.
    private static final double STUDY_SECONDS = 600;

    /// How long a script and an answer take, for an estimate.
    ///
    /// @param scriptMinutes of a script that trains, more than 0, at most 100 000
    /// @param callSeconds of a model's answer, more than 0, at most 600
    public record RunDurations(double scriptMinutes, double callSeconds) {
        public static final RunDurations USUAL = new RunDurations(10, 30);
        private static final double MOST_MINUTES = 100_000;
        private static final double MOST_SECONDS = 600;

        /// @throws Invalid if a length is out of its bounds
        public RunDurations {
            within("--script-minutes", scriptMinutes, MOST_MINUTES);
            within("--call-seconds", callSeconds, MOST_SECONDS);
        }

        private static void within(String option, double value, double most) {
            if (!(value > 0 && value <= most)) {
                throw new Invalid(option + " must be more than 0 and at most " + (long) most + ", but is " + value);
            }
        }

        public double scriptSeconds() {
            return scriptMinutes * 60;
        }
    }

    /// The tokens of a call by the purpose of its agent, as measured for `docs/getting-the-best.md` ("What a default run asks"). Scripts of a real
    /// competition are longer.
    enum CallSize {
        WRITES_PROGRAMS(45, 169, 38),
        DECIDES(46, 179, 26),
        READS(54, 252, 7);

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
                // An agent that the measured run did not have.
                default -> DECIDES;
            };
        }

        long inputTokens() {
            return 1000L * input / calls;
        }

        long outputTokens() {
            return 1000L * output / calls;
        }
    }

    /// Seconds along the longest chain of steps that wait for each other, by what they wait for.
    private record Chain(double scripts, double calls, double slots) {
        Chain plus(Chain next) {
            return new Chain(scripts + next.scripts, calls + next.calls, slots + next.slots);
        }

        Chain times(int turns) {
            return new Chain(scripts * turns, calls * turns, slots * turns);
        }

        double seconds() {
            return scripts + calls + slots;
        }

        String bound() {
            return slots > scripts && slots > calls ? "slots" : calls > scripts ? "models" : "scripts";
        }
    }

    /// @param prices of a model, by its name and the input tokens of a call
    public static Forecast of(PipelineConfig config, RunDurations durations, int slots, BiFunction<String, Long, Optional<Price>> prices) {
        WholeRun run = new WholeRun(config, durations, slots);
        Chain initial = run.initial();
        Chain chain = initial.plus(run.refinement()).plus(run.ensemble()).plus(run.finalization());
        Double cost = run.cost(prices);
        return new Forecast(slots, Arrays.stream(AgentType.values()).mapToInt(run::callsOf).sum(), run.scripts(), run.attempts(),
                chain.seconds() / HOUR_SECONDS, cost,
                chain.bound(), cut(config.limits(), initial.seconds(), chain.seconds(), cost));
    }

    public ObjectNode json() {
        return Json.object().put("scripts_at_once", slots).put("hours", Math.round(hours * 10_000) / 10_000.0).put("calls", calls).put("scripts", scripts)
                .put("attempts", attempts)
                .put("cost_usd", costUsd).put("bound", bound).put("cut", cut);
    }

    private static @Nullable String cut(LimitSettings limits, double initialSeconds, double seconds, @Nullable Double cost) {
        Double budget = limits.maxBudgetUsd();
        if (seconds > limits.timeLimitSeconds()) {
            return "the time limit";
        }
        boolean isNeededLater = 2 * seconds - initialSeconds > limits.timeLimitSeconds();
        if (isNeededLater && initialSeconds > limits.timeBudget().phase1Share() * limits.timeLimitSeconds()) {
            return "the share of Phase 1 in the time limit";
        }
        return budget != null && cost != null && cost > budget ? "the budget" : null;
    }

    /// The steps of a run by the lengths of its loops.
    private record WholeRun(PipelineConfig config, RunDurations durations, int slots) {
        LoopSettings loop() {
            return config.loop();
        }

        /// Ablation studies.
        int studies() {
            return isByScript() ? 0 : loop().numParallelSolutions() * loop().outerLoopSteps();
        }

        int attempts() {
            return loop().numParallelSolutions() * loop().outerLoopSteps() * loop().innerLoopSteps();
        }

        boolean isByScript() {
            return config.search().isByScript();
        }

        /// 0 or 1: whether a study compares kinds of models before the candidates.
        int firstStudies() {
            return config.search().beginsWithStudy() ? 1 : 0;
        }

        int merges() {
            return isByScript() ? 0 : loop().numRetrievedModels() - 1;
        }

        /// 0 or 1: whether a last script combines the members of a blend.
        int combinations() {
            return isByScript() && config.search().hidesRows() && config.search().ensemble() != EnsembleBy.PLANNED ? 1 : 0;
        }

        /// A single solution is not ensembled, and a greedy choice asks nothing.
        int rounds() {
            return loop().numParallelSolutions() > 1 && config.search().ensemble() != EnsembleBy.GREEDY ? loop().ensembleRounds() : 0;
        }

        /// 0 or 1: whether studies are summarized and solutions checked for unused data.
        int reviews() {
            return config.search().brief() ? 0 : 1;
        }

        /// 0 or 1: whether agents check for leaks and write the submission, which hidden rows make needless.
        int checks() {
            return config.search().brief() && config.search().hidesRows() ? 0 : 1;
        }

        /// On which each script is run that the harness scores, if none is stopped after the first.
        int folds() {
            int most = config.search().mostFolds();
            return config.search().decidesFolds() && !Evaluation.affords(durations.scriptSeconds(), most, slots, config) ? 1 : most;
        }

        int scripts() {
            return (loop().numRetrievedModels() + merges() + attempts() + rounds() + combinations()) * folds() + firstStudies() + studies() + 1;
        }

        int callsOf(AgentType agent) {
            return switch (agent) {
                case RETRIEVER -> 1;
                case DATA -> reviews();
                case INIT -> loop().numRetrievedModels();
                case MERGER -> merges();
                case ABLATION, EXTRACTOR -> studies();
                case SUMMARIZE -> reviews() * studies();
                case PLANNER -> isByScript() ? 0 : attempts() - studies();
                case CODER -> firstStudies() + attempts();
                case ENS_PLANNER -> rounds();
                case ENSEMBLER -> rounds() + combinations();
                case TEST -> 2 * checks() + config.referenceDiscussions().size();
                case LEAKAGE -> checks() * (loop().numRetrievedModels() + merges() + 1 + attempts() + rounds() + combinations() + 1);
                // The debugger, and agents that the pipeline does not call. A test compares all calls with those of a whole run.
                default -> 0;
            };
        }

        @Nullable
        Double cost(BiFunction<String, Long, Optional<Price>> prices) {
            double cost = 0;
            for (AgentType agent : AgentType.values()) {
                CallSize size = CallSize.of(agent);
                Optional<Price> price = prices.apply(config.models().modelOf(agent), size.inputTokens());
                if (price.isEmpty() && callsOf(agent) > 0) {
                    return null;
                }
                cost += price.map(known -> callsOf(agent) * known.of(size.inputTokens(), size.outputTokens(), 0, 0)).orElse(0.0);
            }
            return cost;
        }

        /// Candidates side by side, then one merge after the other, then the check for unused data and leaks.
        Chain initial() {
            Chain merge = calls(1 + checks()).plus(scored(1, 1));
            Chain study = calls(1).plus(new Chain(studySeconds(), 0, 0));
            return study.times(firstStudies()).plus(calls(2 + checks())).plus(scored(loop().numRetrievedModels(), 1)).plus(merge.times(merges()))
                    .plus(calls(reviews() + checks()));
        }

        /// Attempts on whole scripts go in rounds. Else paths run side by side; with too few slots they wait for each other's scripts and ask models meanwhile.
        Chain refinement() {
            if (isByScript()) {
                return calls(1 + checks()).plus(scored(loop().numParallelSolutions(), 1)).times(loop().outerLoopSteps() * loop().innerLoopSteps());
            }
            double study = studySeconds();
            Chain outerStep =
                    calls(2 + reviews()).plus(new Chain(study, 0, 0))
                            .plus(turns(loop().innerLoopSteps(), loop().attemptsAtOnce(), loop().numParallelSolutions(), 1));
            Chain path = outerStep.times(loop().outerLoopSteps());
            double work = (studies() * study + attempts() * folds() * durations.scriptSeconds()) / slots;
            return path.plus(new Chain(0, 0, Math.max(0, work - path.seconds())));
        }

        private double studySeconds() {
            return Math.min(durations.scriptSeconds(), STUDY_SECONDS);
        }

        Chain ensemble() {
            return turns(rounds(), loop().roundsAtOnce(), 1, 0).plus(calls(1 + checks()).plus(scored(1, 1)).times(combinations()));
        }

        Chain finalization() {
            return calls(3 * checks()).plus(scripts(1, 1));
        }

        /// Turns of a loop: in each a plan, then the program, its check and a run. Those of a batch begin as their plans come, one after the other.
        ///
        /// @param loops such loops side by side, whose batches want slots at the same time
        /// @param given plans that need no call
        Chain turns(int turns, int atOnce, int loops, int given) {
            Chain chain = calls(-given);
            for (int left = turns; left > 0; left -= atOnce) {
                int batch = Math.min(atOnce, left);
                chain = chain.plus(calls(batch + 1 + checks())).plus(scored(batch, batch == 1 ? 1 : loops));
            }
            return chain;
        }

        Chain calls(int number) {
            return new Chain(0, number * durations.callSeconds(), 0);
        }

        /// Scripts that are requested together, and then their other folds.
        ///
        /// @param loops in each of which that happens at about the same time
        Chain scored(int number, int loops) {
            return scripts(number, loops).plus(folds() == 1 ? calls(0) : scripts(number * (folds() - 1), loops));
        }

        Chain scripts(int number, int loops) {
            double waves = Math.max(Math.ceilDiv(number, slots), (double) number * loops / slots);
            return new Chain(durations.scriptSeconds(), 0, (waves - 1) * durations.scriptSeconds());
        }
    }
}
