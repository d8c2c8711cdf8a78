package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.show.view.StepTree.Look;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTreeTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 3, \"ensemble_rounds\": 2}";
    private static final MadeRun RUN = MadeRun.ended(new MemoryStore(), "r", CONFIG, 3, 20);

    private static StepPath step(String inside) {
        return new StepPath("r", inside);
    }

    private static StepDetail detail(StepPath step) {
        return StepDetail.of(RUN.records(), step).orElseThrow();
    }

    @Test
    void eachStepIsALineWithItsScoreGainPlanAndFailure() {
        List<String> tree = StepTree.of(RUN.records(), RUN.header(), Look.PLAIN).lines().toList();
        assertThat(tree.getFirst()).isEqualTo("r  made-up, AUC, higher is better");
        assertThat(tree).anyMatch(line -> line.matches("      attempt\\d .* score 0\\.\\d+ \\([+−±][\\d.]+\\)  Because of phase2.*"))
                .anyMatch(line -> line.contains("crashed: ValueError: made to crash"))
                .anyMatch(line -> line.contains("failed: made to fail"))
                .anyMatch(line -> line.startsWith("    candidate0 "))
                .allMatch(line -> line.equals(line.stripTrailing()))
                .noneMatch(line -> line.contains("\033"));
        assertThat(tree).hasSizeGreaterThan(RUN.records().below(RUN.root()).size());
    }

    @Test
    void aTerminalsWidthIsKeptAndColoursAreOnlyForIt() {
        String tree = StepTree.of(RUN.records(), RUN.header(), new Look(100, true));
        assertThat(tree).contains("\033[31m", "\033[0m");
        assertThat(tree.replaceAll("\033\\[\\d+m", "").lines().skip(1)).allMatch(line -> line.length() <= 100);
    }

    @Test
    void whatHasNotEndedIsUnderWay() {
        MadeRun begun = MadeRun.after(new MemoryStore(), "r", CONFIG, 3, 0, 7);
        assertThat(StepTree.of(begun.records(), begun.header(), Look.PLAIN)).contains("under way");
        assertThat(StepDetail.of(begun.records(), step("phase1")).orElseThrow().asText()).contains("status under way", "## Input");
    }

    @Test
    void oneStepIsShownWhole() {
        assertThat(detail(step("phase1/candidate0/init")).asText()).contains("## Answer", "BLOCK", "## Usage", "made:up");
        assertThat(detail(step("phase1/candidate0/evaluation/script")).asText()).contains("## Script", "## Output");
        assertThat(StepDetail.of(RUN.records(), step("phase9"))).isEmpty();
    }

    @Test
    void twoStepsAreComparedByTheTextsThatBothHave() {
        StepDetail script = detail(step("phase1/candidate0/evaluation/script"));
        assertThat(script.differences(script)).isEmpty();
        assertThat(script.differences(detail(step("phase2-path0/block0/attempt1/evaluation/script-2"))))
                .startsWith("--- phase1/candidate0/evaluation/script (script)", "+++ phase2-path0/block0/attempt1/evaluation/script-2 (script)")
                .anyMatch(line -> line.startsWith("-BLOCK")).anyMatch(line -> line.startsWith("+BLOCK"));
        assertThat(script.differences(detail(step("phase1/candidate0")))).as("a phase has the script it gave").isEmpty();
        StepDetail answer = detail(step("phase1/candidate0/init"));
        assertThatThrownBy(() -> script.differences(answer)).isInstanceOf(Invalid.class).hasMessageContaining("nothing to compare");
    }

    @Test
    void runsAreATable() {
        RunState state = RunState.of(RUN.records(), RUN.header(), RUN.end());
        List<String> table = RunTable.of(List.of(state), ZoneOffset.UTC).lines().toList();
        assertThat(table).hasSize(2);
        assertThat(table.get(0)).matches("RUN +STATE +PHASE +BEST SCORE +COST +ELAPSED +STARTED");
        assertThat(table.get(1)).startsWith("r ").contains("completed", "2026-01-01 00:00");
        assertThat(table.get(1).indexOf("completed")).isEqualTo(table.get(0).indexOf("STATE"));
        assertThat(RunTable.of(List.of(), ZoneOffset.UTC)).startsWith("RUN");
    }
}
