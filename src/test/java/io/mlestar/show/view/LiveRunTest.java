package io.mlestar.show.view;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import io.mlestar.show.view.StepTree.Look;
import module java.base;
import org.junit.jupiter.api.Test;

/// A run that is followed, and its steps: in figures, as a line, and whole.
class LiveRunTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 6, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";

    private static final String OF_BOTH = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 3, \"ensemble_rounds\": 2}";
    private static final MadeRun RUN = MadeRun.ended(new MemoryStore(), "r", OF_BOTH, 3, 20);
    private static final MadeRun BEGUN = MadeRun.after(new MemoryStore(), "r", OF_BOTH, 3, 0, 7);
    private static final Map<String, StepRow> STEPS = StepRow.all(RUN.records(), "r").stream()
            .collect(Collectors.toMap(StepRow::path, Function.identity()));

    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final DrivenRun run = DrivenRun.start(store, "r", CONFIG, 10);

    /// Sees nothing of what the engine has read.
    private LiveRun look() {
        Records records = new Records(store);
        RunHeader header = records.header("r").orElseThrow();
        return new LiveRun(records, header);
    }

    @Test
    void afterTheFirstLookOnlyWhatIsNewIsReadAndOnlyOpenPhasesAreListed() {
        run.until("phase2-path0/block3");
        LiveRun live = look();
        store.forget();
        live.update();
        assertThat(store.read()).filteredOn(key -> key.contains("/steps/")).doesNotHaveDuplicates()
                .as("of phases that have ended no more than their results")
                .noneMatch(key -> key.contains("phase2-path0/block1/planner"))
                .contains("runs/r/steps/phase2-path0/block1.result.json")
                .doesNotContain("runs/r/steps/phase2-path0/block1.request.json");
        run.goOn(12);
        store.forget();
        live.update();
        assertThat(store.listed()).isNotEmpty().doesNotHaveDuplicates().hasSizeLessThan(20)
                .noneMatch(
                        folder -> folder.contains("phase1") || folder.contains("block0") || folder.contains("block1"));
        assertThat(store.read().size()).isLessThan(40);
        assertThat(store.read()).filteredOn(key -> key.contains("/steps/"))
                .noneMatch(key -> key.contains("block0") || key.contains("phase1"));
        store.forget();
        live.update();
        assertThat(store.read()).as("nothing has happened").isEmpty();
    }

    @Test
    void theFiguresOfARunThatEndedWellTakeOneListingAndItsResult() {
        run.untilTheEnd();
        LiveRun live = look();
        store.forget();
        live.update();
        RunFigures figures = live.figures();
        assertThat(store.listed()).containsExactly("runs/r");
        assertThat(store.read()).containsExactly("runs/r/steps.result.json");
        assertThat(figures.currentPhase()).isEqualTo("complete");
        assertThat(figures.bestScoreSoFar()).isNotNull();
    }

    /// Asks for it as its page does.
    @Test
    void aRunThatHasEndedIsReadOnceForItsPage() {
        run.untilTheEnd();
        List<StepView> phases = new ArrayList<>();
        Walk.SHARED.steps(run.records(), "r").map(StepView::of).forEach(step -> {
            if (step.known().request().isPhase()) {
                phases.add(step);
            }
        });
        LiveRun live = look();
        Records records = new Records(store);
        store.forget();
        page(live, records);
        int few = 1 + 7 + 7;
        assertThat(store.listed()).as("its folder, and the first two levels for the tree and for the solutions")
                .hasSizeLessThanOrEqualTo(1 + few + 1);
        assertThat(store.read()).as("nothing of single evaluations").hasSizeLessThan(2 * phases.size())
                .noneMatch(key -> key.contains("evaluation/script"));
        assertThat(live.files()).containsExactly("final_solution.py", "result.json");
        store.forget();
        page(live, records);
        assertThat(store.read()).as("again").hasSizeLessThan(50);
        assertThat(store.listed()).hasSizeLessThanOrEqualTo(few);
    }

    private static void page(LiveRun live, Records records) {
        Instant now = Instant.now();
        live.update();
        live.figures();
        new SolutionHistory(records, live.run()).look();
        StepList.branches(live);
        live.curve(now, true);
        live.limits();
    }

    @Test
    void itSaysTheSameWhenReadAtOnceAsWhenFollowed() {
        LiveRun followed = look();
        followed.update();
        while (run.goOn(40)) {
            followed.update();
        }
        followed.update();
        LiveRun late = look();
        late.update();
        Instant now = Instant.now();
        assertThat(late.figures()).isEqualTo(followed.figures());
        assertThat(late.curve(now, false)).isEqualTo(followed.curve(now, false));
        assertThat(late.evaluationCount()).isEqualTo(followed.evaluationCount()).isGreaterThan(20);
        assertThat(late.scoredCount()).isEqualTo(followed.scoredCount()).isPositive();
        StepPath path = new StepPath("r", "phase2-path0");
        assertThat(late.below(path)).isEqualTo(followed.below(path)).extracting(row -> row.step().name())
                .containsExactly("block0", "block1", "block2", "block3", "block4", "block5");
    }

    @Test
    void whatIsSharedWithAnotherRunIsFoundThere() {
        run.untilTheEnd();
        LiveRun origin = look();
        origin.update();
        DrivenRun fork = DrivenRun.sharing(store, "f", "r", CONFIG).untilTheEnd();
        LiveRun live = new LiveRun(fork.records(), fork.records().header("f").orElseThrow());
        live.update();
        assertThat(live.evaluationCount()).isEqualTo(origin.evaluationCount());
        StepRow shared = live.row(new StepPath("f", "phase1")).orElseThrow();
        assertThat(shared.note()).startsWith("shared with r/phase1");
        assertThat(live.below(shared.place())).isNotEmpty()
                .allMatch(row -> row.url().startsWith("/runs/r/steps/phase1/"));
    }

    @Test
    void aListShowsTheLastStepsAndHowManyComeBefore() {
        String config = "{\"outer_loop_steps\": 105, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
        DrivenRun many = DrivenRun.start(store, "many", config, 0);
        many.until("phase2-path0");
        LiveRun live = new LiveRun(many.records(), many.records().header("many").orElseThrow());
        StepPath path = new StepPath("many", "phase2-path0");
        StepList last = StepList.of(live, path, Integer.MAX_VALUE);
        assertThat(last.shown()).hasSize(StepList.MOST).last().extracting(row -> row.step().name())
                .isEqualTo("block104");
        StepList first = StepList.of(live, path, last.earlier());
        assertThat(first.shown()).hasSize(5).first().extracting(row -> row.step().name()).isEqualTo("block0");
        assertThat(first.earlier()).isZero();
    }

    private static List<StepRow> of(String kind) {
        return STEPS.values().stream().filter(step -> step.kind().equals(kind)).toList();
    }

    @Test
    void anAnswerHasItsModelAndTokensAndAPhaseHasNone() {
        StepRow retriever = STEPS.get("phase1/retriever");
        assertThat(retriever.agent()).isEqualTo("retriever");
        assertThat(retriever.phase()).isNull();
        assertThat(retriever.model()).isEqualTo("made:up");
        assertThat(retriever.inputTokens()).isNotNegative();
        assertThat(retriever.seconds()).isNotNegative();
        assertThat(of("phase")).isNotEmpty().allSatisfy(phase -> {
            assertThat(phase.phase()).isNotBlank();
            assertThat(phase.agent()).isNull();
            assertThat(phase.inputTokens()).isNull();
        });
    }

    @Test
    void whatIsUnderWayHasNeitherTimeNorCost() {
        assertThat(StepRow.all(BEGUN.records(), "r").stream().filter(step -> step.outcome() == StepState.RUNNING))
                .isNotEmpty()
                .allSatisfy(step -> {
                    assertThat(step.seconds()).isNull();
                    assertThat(step.costUsd()).isNull();
                    assertThat(step.endedAt()).isNull();
                });
    }

    private static StepPath step(String inside) {
        return new StepPath("r", inside);
    }

    private static StepDetail detail(String step) {
        return StepDetail.of(RUN.records(), step(step)).orElseThrow();
    }

    @Test
    void eachStepIsALineWithItsScoreGainPlanAndFailure() {
        List<String> tree = StepTree.of(RUN.records(), RUN.header(), Look.PLAIN).lines().toList();
        assertThat(tree.getFirst()).isEqualTo("r  made-up, AUC, higher is better");
        assertThat(tree)
                .anyMatch(line -> line
                        .matches("      attempt\\d .* score 0\\.\\d+ \\([+−±][\\d.]+\\)  Because of phase2.*"))
                .anyMatch(line -> line.contains("crashed: ValueError: made to crash"))
                .anyMatch(line -> line.contains("failed: made to fail"))
                .anyMatch(line -> line.startsWith("    candidate0 "))
                .allMatch(line -> line.equals(line.stripTrailing()))
                .noneMatch(line -> line.contains("\033"));
        assertThat(tree).hasSizeGreaterThan(RUN.records().below(RUN.root()).size());
    }

    @Test
    void aGainIsPositiveWhereLowerIsBetterToo() {
        ObjectNode header = (ObjectNode) Json.tree(RUN.header());
        header.withObject("/task").put("metric_direction", "minimize");
        List<String> higher = gains(RUN.header());
        assertThat(gains(Json.read(header, RunHeader.class))).hasSizeGreaterThan(5).isEqualTo(higher.stream()
                .map(gain -> gain.contains("+") ? gain.replace('+', '−') : gain.replace('−', '+')).toList());
    }

    private static List<String> gains(RunHeader header) {
        return Pattern.compile("score \\S+ \\((\\S+)\\)").matcher(StepTree.of(RUN.records(), header, Look.PLAIN))
                .results().map(gain -> gain.group(1)).toList();
    }

    @Test
    void aTerminalsWidthIsKeptAndColoursAreOnlyForIt() {
        String tree = StepTree.of(RUN.records(), RUN.header(), new Look(100, true));
        assertThat(tree).contains("\033[31m", "\033[0m");
        assertThat(tree.replaceAll("\033\\[\\d+m", "").lines().skip(1)).allMatch(line -> line.length() <= 100);
    }

    @Test
    void oneStepIsShownWhole() {
        assertThat(detail("phase1/candidate0/init").asText()).contains("## Answer", "BLOCK", "tokens in", "made:up");
        assertThat(detail("phase1/candidate0/evaluation/script").asText()).contains("## Script", "## Output");
        assertThat(StepDetail.of(RUN.records(), step("phase9"))).isEmpty();
    }

    @Test
    void anAttemptIsShownWithRealLineBreaksAndWhatItChanged() {
        String shown = detail("phase2-path0/block0/attempt1").asText();
        assertThat(shown)
                .contains("## Plan\n", "## What it changed\n", "\n@@ ", "\n+# phase2-path0/block0/attempt1/coder\n",
                        "## Input\n", "## Result\n")
                .containsPattern("\nscore +0\\.\\d+").containsPattern("\ncost +\\$")
                .containsPattern("\nasked +2026-01-01 00:00:\\d\\d UTC\n")
                .doesNotContain("\\n").doesNotContain("\": ");
        assertThat(shown.lines()).allMatch(line -> line.length() < 400);
    }

    @Test
    void aLongTextIsCutInATerminalAndNotForPrograms() {
        MemoryStore store = new MemoryStore();
        DrivenRun.saying(store, "long", OF_BOTH, "x = 1\n".repeat(20_000)).until("phase1");
        StepDetail answer =
                StepDetail.of(new Records(store), new StepPath("long", "phase1/candidate0/init")).orElseThrow();
        assertThat(answer.asText()).hasSizeLessThan(100_000).contains("more characters; --json prints all]");
        assertThat(answer.texts().values()).anyMatch(text -> text.length() > 100_000);
    }

    @Test
    void whatAnAgentLookedAtStandsBehindItsAnswer() {
        MemoryStore store = new MemoryStore();
        DrivenRun.saying(store, "looked", OF_BOTH, "print(6 * 7)").until("phase1");
        StepDetail answer =
                StepDetail.of(new Records(store), new StepPath("looked", "phase1/candidate0/init")).orElseThrow();
        assertThat(answer.texts()).containsEntry("looks_at_the_data", "print(6 * 7)\n\n[shows]\nprint(6 * 7)");
        assertThat(detail("phase1/candidate0/init").texts()).doesNotContainKey("looks_at_the_data");
    }

    @Test
    void twoStepsAreComparedByTheTextsThatBothHave() {
        StepDetail script = detail("phase1/candidate0/evaluation/script");
        assertThat(script.differences(script)).isEmpty();
        assertThat(script.differences(detail("phase2-path0/block0/attempt1/evaluation/script-2")))
                .startsWith("--- phase1/candidate0/evaluation/script (script)",
                        "+++ phase2-path0/block0/attempt1/evaluation/script-2 (script)")
                .anyMatch(line -> line.startsWith("-BLOCK")).anyMatch(line -> line.startsWith("+BLOCK"));
        assertThat(script.differences(detail("phase1/candidate0"))).as("a phase has the script it gave").isEmpty();
        StepDetail answer = detail("phase1/candidate0/init");
        refusal(() -> script.differences(answer)).contains("nothing to compare");
    }

    @Test
    void runsAreATable() {
        RunState state = RunState.of(RUN.records(), RUN.header(), RUN.end());
        List<String> table = RunTable.of(List.of(state), ZoneOffset.UTC).lines().toList();
        assertThat(table).hasSize(2);
        assertThat(table.get(0)).matches("RUN +STATE +PHASE +SCORE +COST +ELAPSED +STARTED");
        assertThat(table.get(1)).startsWith("r ").contains("completed", "2026-01-01 00:00");
        assertThat(table.get(1).indexOf("completed")).isEqualTo(table.get(0).indexOf("STATE"));
        assertThat(RunTable.of(List.of(), ZoneOffset.UTC)).startsWith("RUN");
    }
}
