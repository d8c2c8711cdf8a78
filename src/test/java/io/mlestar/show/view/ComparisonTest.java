package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.show.view.ComparedRun.NewBest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class ComparisonTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1}";

    private final MemoryStore store = new MemoryStore();

    private Comparison compared(String... runs) {
        Records records = new Records(store);
        return Comparison.of(records, Stream.of(runs).map(run -> records.header(run).orElseThrow()).toList(),
                Instant.now());
    }

    private static Document drawn(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theCurvesEndWithTheBestScoreAndTheWholeCost() {
        MadeRun.ended(store, "a", CONFIG, 3, 0);
        ComparedRun run = compared("a", "a").runs().getFirst();
        assertThat(run.best()).isNotEmpty().isSortedAccordingTo(Comparator.comparingDouble(NewBest::score))
                .isSortedAccordingTo(Comparator.comparingDouble(NewBest::seconds))
                .isSortedAccordingTo(Comparator.comparingDouble(NewBest::costUsd));
        assertThat(run.best().getLast().score()).isGreaterThanOrEqualTo(run.figures().bestScoreSoFar());
        assertThat(run.best().getLast().costUsd()).isPositive()
                .isLessThanOrEqualTo(run.figures().knownCostUsd() + 1e-9);
        assertThat(run.best().getLast().seconds()).isLessThanOrEqualTo(run.seconds());
        assertThat(run.bestModel()).isNotNull();
        RunState state = RunState.of(new Records(store), new Records(store).header("a").orElseThrow(), Instant.now());
        assertThat(run.agentCalls()).isEqualTo(state.agentCallCount());
        assertThat(run.scripts()).isEqualTo(state.scriptCount());
    }

    @Test
    void whatAForkSharesCostsItNothing() {
        DrivenRun.start(store, "r", CONFIG, 0).untilTheEnd();
        DrivenRun.sharing(store, "f", "r", CONFIG).untilTheEnd();
        List<ComparedRun> runs = compared("r", "f").runs();
        assertThat(runs.get(1).agentCalls()).isLessThan(runs.get(0).agentCalls());
        assertThat(runs.get(1).best().getFirst().costUsd()).isZero();
    }

    @Test
    void everyRunHasALineADashAndALetter() throws Exception {
        MadeRun.ended(store, "a", CONFIG, 3, 0);
        MadeRun.ended(store, "b", CONFIG, 4, 10);
        MadeRun.ended(store, "failed", CONFIG, 1, 100);
        Comparison comparison = compared("a", "b", "failed");
        for (String svg : List.of(comparison.overTime(), comparison.overCost())) {
            assertThat(svg).contains("compared-line compared-0", "compared-line compared-1", ">A</text>", ">B</text>")
                    .doesNotContain("NaN", "Infinity",
                            "style=");
            assertThat(drawn(svg).getElementsByTagName("title").getLength()).isOne();
        }
        assertThat(drawn(compared("failed", "failed").overCost())).as("nothing to draw is drawn, too").isNotNull();
    }

    @Test
    void aTerminalShowsThemAsTables() {
        MadeRun.ended(store, "a", CONFIG, 3, 0);
        MadeRun.ended(store, "b", CONFIG.replace("\"inner_loop_steps\": 2", "\"inner_loop_steps\": 1"), 3, 0);
        assertThat(compared("a", "b").text().lines().toList()).hasSize(3 + 1 + 2).satisfies(lines -> {
            assertThat(lines.getFirst()).contains("RUN", "SCORE", "VS BEST MODEL", "COST");
            assertThat(lines.get(2)).matches("B +b +completed +0\\.\\d{5} +\\S+ +\\$.*AUC");
            assertThat(lines.getLast()).matches("inner_loop_steps +2 +1");
        });
        assertThat(compared("a", "a").text()).endsWith("all were started alike");
    }
}
