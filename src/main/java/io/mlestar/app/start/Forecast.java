package io.mlestar.app.start;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.model.Models;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.StrongSearch;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// An estimate of a run in which each loop runs its full length, no script crashes, each answer can
/// be read and nothing leaks. Calls and scripts follow from the lengths of the loops (Algorithms 1
/// to 3) and the settings of the search, hours from how many scripts can run at once.
///
/// @param slots how many scripts can run at once, at least 1
/// @param scripts that train something; the program's own, of survey and blend, are not counted
/// @param attempts of Phase 2, each a script
/// @param hours of wall-clock time, if nothing cuts the run short
/// @param costUsd of all calls, with nothing from a cache; null if a model's price is unknown
/// @param cut which limit of the settings ends the run earlier; null if none does
public record Forecast(
        int slots,
        int calls,
        int scripts,
        int attempts,
        double hours,
        @Nullable Double costUsd,
        @Nullable String cut) {
    private static final double HOUR_SECONDS = 3600;
    /// An ablation study is written to end within its own limit.
    private static final double STUDY_SECONDS = 600;

    /// The durations of a script and of an answer, for an estimate.
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
                throw new Invalid(option + " must be more than 0 and at most " + (long) most
                        + ", but is " + value);
            }
        }

        public double scriptSeconds() {
            return scriptMinutes * 60;
        }
    }

    /// The tokens of a call by the purpose of its agent, as measured for `docs/sizing.md`
    /// ("What a default run asks"). Scripts of a real competition are longer.
    enum CallSize {
        WRITES_PROGRAMS(45, 169, 38),
        DECIDES(46, 179, 26),
        READS(54, 252, 7);

        /// The calls of these agents in a default run.
        final int calls;
        /// Tokens in thousands, all calls together.
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

    /// By the prices of the settings, or else those that are known.
    public static Forecast of(
            PipelineConfig config,
            RunDurations durations,
            int slots,
            Models models) {
        Map<String, Price> own = config.models().prices();
        return of(config, durations, slots, (model, tokens) -> models.price(model, own, tokens));
    }

    /// @param prices of a model, by its name and the input tokens of a call
    static Forecast of(
            PipelineConfig config,
            RunDurations durations,
            int slots,
            BiFunction<String, Long, Optional<Price>> prices) {
        WholeRun run =
                new WholeRun(config, Workload.of(config, durations, slots), durations, slots);
        double initial = run.initial();
        double whole = initial + run.refinement() + run.ensemble() + run.finalization();
        int calls = Arrays.stream(AgentType.values()).mapToInt(run::callsOf).sum();
        Double cost = run.cost(prices);
        return new Forecast(slots, calls, run.scripts(), run.work().attempts(),
                whole / HOUR_SECONDS, cost, cut(config.limits(), initial, whole, cost));
    }

    public ObjectNode json() {
        return Json.object()
                .put("scripts_at_once", slots)
                .put("hours", Math.round(hours * 10_000) / 10_000.0)
                .put("calls", calls)
                .put("scripts", scripts)
                .put("attempts", attempts)
                .put("cost_usd", costUsd)
                .put("cut", cut);
    }

    private static @Nullable String cut(
            LimitSettings limits,
            double initialSeconds,
            double seconds,
            @Nullable Double cost) {
        Double budget = limits.maxBudgetUsd();
        if (seconds > limits.timeLimitSeconds()) {
            return "the time limit";
        }
        boolean isNeededLater = 2 * seconds - initialSeconds > limits.timeLimitSeconds();
        if (isNeededLater
                && initialSeconds > limits.timeBudget().phase1Share() * limits.timeLimitSeconds()) {
            return "the share of Phase 1 in the time limit";
        }
        return budget != null && cost != null && cost > budget ? "the budget" : null;
    }

    /// The steps of a run, and the seconds along the longest chain of those that wait for each
    /// other.
    private record WholeRun(
            PipelineConfig config,
            Workload work,
            RunDurations durations,
            int slots) {
        int scripts() {
            return work.solutions() * work.folds() + work.firstStudies() + work.ablations() + 1;
        }

        int callsOf(AgentType agent) {
            return switch (agent) {
                case RETRIEVER -> 1;
                case DATA -> work.reviews();
                case INIT -> work.models();
                case MERGER -> work.merges();
                case ABLATION, EXTRACTOR -> work.ablations();
                case SUMMARIZE -> work.reviews() * work.ablations();
                case PLANNER -> work.planners();
                case CODER -> work.firstStudies() + work.attempts();
                case ENS_PLANNER -> work.rounds();
                case ENSEMBLER -> work.rounds() + work.combinations();
                case TEST -> 2 * work.checks() + config.referenceDiscussions().size();
                case LEAKAGE -> work.checks() * (work.solutions() + 2);
                // A whole run needs no repairs.
                case DEBUGGER -> 0;
            };
        }

        @Nullable
        Double cost(BiFunction<String, Long, Optional<Price>> prices) {
            double cost = 0;
            for (AgentType agent : AgentType.values()) {
                CallSize size = CallSize.of(agent);
                Optional<Price> price =
                        prices.apply(config.models().modelOf(agent), size.inputTokens());
                if (price.isEmpty() && callsOf(agent) > 0) {
                    return null;
                }
                cost += price
                        .map(known -> callsOf(agent)
                                * known.of(size.inputTokens(), size.outputTokens(), 0, 0))
                        .orElse(0.0);
            }
            return cost;
        }

        /// Candidates side by side, then one merge after the other, then the check for unused data
        /// and leaks.
        double initial() {
            double merge = calls(1 + work.checks()) + scored(1);
            double study = calls(1) + studySeconds();
            double candidates = calls(2 + work.checks()) + scored(work.models());
            return work.firstStudies() * study + candidates + work.merges() * merge
                    + calls(work.reviews() + work.checks());
        }

        double refinement() {
            return switch (config.search()) {
                case PaperSearch paper -> refinement(paper);
                // The search goes in rounds, in each of which every path makes an attempt.
                case StrongSearch strong ->
                    work.turns() * (calls(1) + scored(strong.numParallelSolutions()));
            };
        }

        /// Paths run side by side; with too few slots they wait for each other's scripts and ask
        /// models meanwhile.
        private double refinement(PaperSearch paper) {
            double attempts = paper.innerLoopSteps() * turn() - calls(1);
            double path = work.turns() * (calls(3) + studySeconds() + attempts);
            double scripts = (work.ablations() * studySeconds()
                    + work.attempts() * durations.scriptSeconds()) / slots;
            return Math.max(path, scripts);
        }

        private double studySeconds() {
            return Math.min(durations.scriptSeconds(), STUDY_SECONDS);
        }

        double ensemble() {
            return work.rounds() * turn() + work.combinations() * (calls(1) + scored(1));
        }

        double finalization() {
            return calls(3 * work.checks()) + scripts(1);
        }

        /// A plan, then the program, its check and a run.
        private double turn() {
            return calls(2 + work.checks()) + scored(1);
        }

        private double calls(int number) {
            return number * durations.callSeconds();
        }

        /// Scripts that are requested together, and then their other folds.
        private double scored(int number) {
            double first = scripts(number);
            return work.folds() == 1 ? first : first + scripts(number * (work.folds() - 1));
        }

        private double scripts(int number) {
            return Math.ceilDiv(number, slots) * durations.scriptSeconds();
        }
    }
}
