package io.mlestar.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.agent.Debugger;
import io.mlestar.agent.Init;
import io.mlestar.agent.Merger;
import io.mlestar.agent.Retriever;
import io.mlestar.records.KnownStep;
import io.mlestar.records.StepResult;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.SecondAsk;
import io.mlestar.step.StepPath;
import io.mlestar.step.Window;
import io.mlestar.task.EvaluationResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Merges that are begun on the code of one whose score is not known yet, over all ways in which three merges can end, in all orders: what comes
/// out is what comes out in sequence. What is answered and what scripts score depends on what is asked, and on nothing else.
class MergesAheadTest {
    /// How a merge ends.
    private enum Fate { BETTER, EQUAL, WORSE, CRASHED, REPAIRED, NO_CODE }

    private static final int MODELS = 4;
    private static final List<String> PARTS = List.of("best_score", "baseline_score", "final_solution", "phase1", "phase2_results", "phase3", "submission_path",
            "lineage", "stop_reason");

    private static final class MergingLab extends MixedOrder {
        private final List<Fate> fates;
        private int scripts;

        MergingLab(List<Fate> fates, long seed) {
            super(seed);
            this.fates = fates;
        }

        @Override
        public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, SecondAsk second) {
            Answer made = world.ask(step, agent, brief, timeout, second);
            String text = switch (agent) {
                case Retriever retriever -> MadeUp.answer(retriever, step.inside(), MODELS);
                case Init init -> code("BLOCK = 'candidate'\nprint('Final Validation Performance: 1')\n# model " + (init.modelName().charAt(0) - 'a'));
                case Merger merger -> merged(merger);
                case Debugger debugger when debugger.code().contains("# merge") -> debugger.code().contains("CRASHED") ? "Sorry." : code(debugger.code()
                        + "\n# repaired");
                default -> made.text();
            };
            return new Answer(text, made.usage(), "", "");
        }

        private String merged(Merger merger) {
            int rank = merger.referenceCode().charAt(merger.referenceCode().indexOf("# model ") + "# model ".length()) - '0';
            Fate fate = fates.get(rank - 1);
            return fate == Fate.NO_CODE ? "Sorry." : code(merger.baseCode() + "\n# merge " + rank + " " + fate);
        }

        private static String code(String code) {
            return "```python\n" + code + "\n```";
        }

        @Override
        public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
            begin.attempt();
            scripts++;
            meanwhile(step);
            String last = script.content().substring(script.content().lastIndexOf("\n") + 1);
            boolean crash = last.endsWith(Fate.CRASHED.name()) || last.endsWith(Fate.REPAIRED.name());
            String trace = "Traceback (most recent call last):\nValueError: made to crash";
            EvaluationResult result = new EvaluationResult(crash || script.kind() != RunScript.Kind.SOLUTION ? null : score(script.content(), last),
                    MadeUp.printed(script.kind()), "", crash ? 1 : 0, 0.1, crash, crash ? trace : null);
            return Execution.of(result, false, script.kind() == RunScript.Kind.SUBMISSION ? new Execution.Submission("kept", 10, 1) : null,
                    crash ? trace : null);
        }

        private static double score(String content, String last) {
            if (last.startsWith("# model ")) {
                return 0.5 - 0.1 * (last.charAt("# model ".length()) - '0');
            }
            long good = content.lines().filter(line -> line.endsWith("BETTER") || line.endsWith("repaired")).count();
            return last.endsWith(Fate.WORSE.name()) ? 0.1 : 0.5 + 0.01 * good;
        }

        /// @return the result, without what differs from run to run
        JsonNode runs(int atOnce, String timing) {
            return runs(String.format(Locale.ROOT, """
                    {"num_retrieved_models": %d, "outer_loop_steps": 1, "inner_loop_steps": 1, "num_parallel_solutions": 1, "ensemble_rounds": 1,
                     "max_debug_attempts": 1, "merges_at_once": %d, "leakage_check": "%s"}""", MODELS, atOnce, timing));
        }
    }

    private static List<List<Fate>> ways() {
        List<List<Fate>> ways = new ArrayList<>();
        for (Fate first : Fate.values()) {
            for (Fate second : Fate.values()) {
                for (Fate third : Fate.values()) {
                    ways.add(List.of(first, second, third));
                }
            }
        }
        return ways;
    }

    @ParameterizedTest
    @CsvSource({"2, before", "3, beside"})
    void theResultIsThatOfTheSequenceHoweverTheMergesEnd(int atOnce, String timing) {
        Map<List<Fate>, JsonNode> inSequence = new HashMap<>();
        int vain = 0;
        for (List<Fate> fates : ways()) {
            MergingLab ahead = new MergingLab(fates, fates.toString().hashCode());
            JsonNode got = ahead.runs(atOnce, timing);

            // What would come after a merge that is no better is not asked for.
            JsonNode wanted = inSequence.computeIfAbsent(asked(fates), asked -> new MergingLab(fates, 1).runs(1, timing));
            PARTS.forEach(part -> assertThat(got.path(part)).as("%s, %s", fates, part).isEqualTo(wanted.path(part)));
            List<KnownStep> steps = ahead.steps();
            assertThat(steps).as("ended, %s", fates).map(step -> step.result().isPresent()).containsOnly(true);
            assertThat(got.path("total_cost_usd").asDouble()).as("money, %s", fates)
                    .isEqualTo(World.COST * steps.stream().filter(step -> step.request().isAgent() && step.done().isPresent()).count(), within(1e-9));
            vain += (int) steps.stream().filter(step -> step.result().get() instanceof StepResult.Stopped).count();
        }
        assertThat(vain).as("steps that were begun in vain").isPositive();
    }

    private static List<Fate> asked(List<Fate> fates) {
        List<Fate> bad = List.of(Fate.WORSE, Fate.CRASHED, Fate.NO_CODE);
        int last = 0;
        while (last < fates.size() - 1 && !bad.contains(fates.get(last))) {
            last++;
        }
        return fates.subList(0, last + 1);
    }

    @Test
    void whereEachMergeIsBetterNothingIsAskedOrRunThatWouldNotHaveBeenInSequence() {
        List<Fate> fates = List.of(Fate.BETTER, Fate.EQUAL, Fate.BETTER);
        MergingLab inSequence = new MergingLab(fates, 1);
        inSequence.runs(1, "before");
        MergingLab ahead = new MergingLab(fates, 2);
        ahead.runs(3, "before");

        assertThat(ahead.scripts).isEqualTo(inSequence.scripts);
        assertThat(ahead.steps()).hasSameSizeAs(inSequence.steps());
        assertThat(ahead.steps()).filteredOn(step -> step.step() instanceof Merger).extracting(step -> step.path().inside())
                .containsExactlyInAnyOrder("phase1/merger", "phase1/merger-2", "phase1/merger-3");
    }

    /// The first merge is worse, and the scripts of the others run at that moment.
    @Test
    void aScriptThatIsRunningInVainIsGivenUpAndNothingMoreBeginsInItsPhase() {
        List<Fate> fates = List.of(Fate.WORSE, Fate.REPAIRED, Fate.BETTER);
        Set<String> left = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            MergingLab ahead = new MergingLab(fates, seed);
            ahead.runs(3, "beside");
            ahead.steps().stream().filter(step -> step.result().get() instanceof StepResult.Stopped)
                    .forEach(step -> left.add(step.path().inside() + ": " + step.result().get().reason()));
        }
        assertThat(left).contains("phase1/merge2/evaluation/script: " + Gate.UNNEEDED, "phase1/merge3: " + Gate.UNNEEDED)
                .allMatch(step -> step.matches("phase1/merge[23](/.*)?: " + Gate.UNNEEDED));
    }
}
