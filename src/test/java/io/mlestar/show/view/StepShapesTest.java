package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.show.view.StepTree.Look;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// One step in figures, as a line, and whole.
class StepShapesTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 3, \"ensemble_rounds\": 2}";
    private static final MadeRun RUN = MadeRun.ended(new MemoryStore(), "r", CONFIG, 3, 20);
    private static final MadeRun BEGUN = MadeRun.after(new MemoryStore(), "r", CONFIG, 3, 0, 7);
    private static final Map<String, StepRow> STEPS = StepRow.all(RUN.records(), "r").stream()
            .collect(Collectors.toMap(StepRow::path, Function.identity()));

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
        DrivenRun.saying(store, "long", CONFIG, "x = 1\n".repeat(20_000)).until("phase1");
        StepDetail answer =
                StepDetail.of(new Records(store), new StepPath("long", "phase1/candidate0/init")).orElseThrow();
        assertThat(answer.asText()).hasSizeLessThan(100_000).contains("more characters; --json prints all]");
        assertThat(answer.texts().values()).anyMatch(text -> text.length() > 100_000);
    }

    @Test
    void whatAnAgentLookedAtStandsBehindItsAnswer() {
        MemoryStore store = new MemoryStore();
        DrivenRun.saying(store, "looked", CONFIG, "print(6 * 7)").until("phase1");
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
        assertThatThrownBy(() -> script.differences(answer)).isInstanceOf(Invalid.class)
                .hasMessageContaining("nothing to compare");
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
