package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.phase.BlendedEnsemble;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.report.Report;
import io.mlestar.show.view.CandidateSolution.Part;
import module java.base;
import org.junit.jupiter.api.Test;

/// The origins of a run's solutions: decided by the phases, read from its steps.
class SolutionAncestryTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 3, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";

    private static final String STRONG =
            """
                    {"search": "strong", "num_retrieved_models": 2, "num_parallel_solutions": 2, "attempts": 12, "agents_look": 0}""";

    private final List<CandidateSolution> tried = new ArrayList<>();

    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final DrivenRun run = DrivenRun.start(store, "r", CONFIG, 10);

    private SolutionAncestryTest and(String step, Part part, int block, int number, Double score, String before,
            Boolean accepted,
            String... from) {
        tried.add(new CandidateSolution(new StepPath("r", step), part, 0, block, number, step, "",
                score == null ? StepState.FAILED : StepState.DONE, Score.printed(score),
                Optional.ofNullable(before).map(id -> new Rival(id, Score.printed(0.9))), accepted, List.of(from), 0.0,
                1));
        return this;
    }

    private SolutionGraph graph() {
        return new SolutionAncestry(tried, MetricDirection.MAXIMIZE).graph(step -> "/" + step.inside());
    }

    private static Node node(SolutionGraph graph, String step) {
        return graph.nodes().stream().filter(one -> one.id().equals(step)).findFirst().orElseThrow();
    }

    private static List<String> marked(SolutionGraph graph, Lot lot) {
        return graph.nodes().stream().filter(one -> one.lot() == lot).map(Node::id).toList();
    }

    private SolutionAncestryTest last(String from) {
        return and("finalization", Part.FINAL, 0, 0, null, from, null, from);
    }

    @Test
    void aGreedyBlendIsMadeOfItsMembersAndStandsAmongTheEnsembles() {
        SolutionScript single = SolutionScript.unscored("x = 1", SolutionPhase.REFINED).scored(Score.printed(0.8))
                .by("phase2-path0/block0/attempt2");
        SolutionScript blend = SolutionScript.unscored("y = 1", SolutionPhase.ENSEMBLE).scored(Score.printed(0.9));
        EnsembleAttempt attempt = new EnsembleAttempt("greedy blend: of two", blend, null, null);
        Decision decision =
                new Decision("phase3/blend", Score.printed(0.9),
                        List.of(new Source("phase1/candidate0", 3), new Source("phase2-path0/block0/attempt2", 2)),
                        Rival.of(single), null);
        Phase3Result result = new Phase3Result(List.of(single), List.of(attempt.plan()), List.of(0.9), blend, 0.9,
                List.of(attempt), List.of(decision));
        KnownStep phase3 = new KnownStep(StepPath.parse("r/phase3"),
                StepRequest.of(new BlendedEnsemble(List.of(single), List.of(single)), Instant.EPOCH, Instant.EPOCH),
                Optional.of(StepResult.of(new Outcome.Done<>(result), Instant.EPOCH, Instant.EPOCH, 0.0)));
        and("phase1/candidate0", Part.CANDIDATE, 0, 0, 0.7, null, true);
        tried.add(CandidateSolution.of(StepView.of(phase3)).orElseThrow());
        last(tried.getLast().id());
        SolutionGraph graph = graph();
        assertThat(tried.get(1).from()).containsExactly("phase1/candidate0", "phase2-path0/block0/attempt2");
        assertThat(node(graph, tried.get(1).id()).title()).isEqualTo("Greedy blend");
        assertThat(marked(graph, Lot.LINEAGE)).containsExactly("phase1/candidate0", tried.get(1).id());
    }

    private SolutionAncestryTest firstPhase() {
        return and("c0", Part.CANDIDATE, 0, 0, 0.5, "c1", false).and("c1", Part.CANDIDATE, 0, 1, 0.7, null, true)
                .and("c2", Part.CANDIDATE, 0, 2, null, "c1", false)
                .and("m1", Part.MERGE, 0, 1, 0.7, "c1", true, "c1", "c0")
                .and("m2", Part.MERGE, 0, 2, 0.75, "m1", false, "m1", "c2");
    }

    private SolutionAncestryTest secondPhase() {
        return and("b0", Part.BLOCK, 0, 0, 0.75, "m1", true, "m1").and("a0", Part.ATTEMPT, 0, 0, 0.72, "m1", true, "m1")
                .and("a1", Part.ATTEMPT, 0, 1, 0.75, "a0", true, "m1")
                .and("a2", Part.ATTEMPT, 0, 2, 0.9, "a1", false, "m1")
                .and("a3", Part.ATTEMPT, 1, 0, 0.8, "a1", true, "a1");
    }

    @Test
    void whatPhasesAcceptedIsKeptWhateverItScored() {
        SolutionGraph graph = firstPhase().graph();
        assertThat(marked(graph, Lot.LEADING)).as("from there the search goes on").containsExactly("c0", "c1", "m1");
        assertThat(marked(graph, Lot.DROPPED)).containsExactly("m2");
        assertThat(marked(graph, Lot.FAILED)).containsExactly("c2");
        assertThat(node(graph, "m2").parents()).containsExactly("m1", "c2");
    }

    @Test
    void beforeTheEndTheLastThatWasAcceptedAndItsAncestorsAreMarkedAndBlocksAreNoSolutions() {
        SolutionGraph graph = firstPhase().secondPhase().graph();
        assertThat(marked(graph, Lot.LEADING)).containsExactly("c0", "c1", "m1", "a1", "a3");
        assertThat(marked(graph, Lot.KEPT)).containsExactly("a0");
        assertThat(graph.nodes()).extracting(Node::id).doesNotContain("b0");
    }

    @Test
    void whatIsNotDecidedYetIsOpenUnlessTheRunWentOnWithIt() {
        SolutionGraph graph =
                and("c0", Part.CANDIDATE, 0, 0, 0.9, null, null).and("c1", Part.CANDIDATE, 0, 1, 0.7, null, null)
                        .and("m1", Part.MERGE, 0, 1, 0.95, "c1", null, "c1", "c0").graph();
        assertThat(marked(graph, Lot.LEADING)).containsExactly("c1");
        assertThat(marked(graph, Lot.OPEN)).containsExactly("c0", "m1");
    }

    @Test
    void theAncestorsOfTheFinalScriptAreItsLineageAndTheRoundThatWasAcceptedIsKept() {
        SolutionGraph graph = firstPhase().secondPhase().and("r0", Part.ROUND, 0, 0, 0.7, "a3", false, "a3", "m1")
                .and("r1", Part.ROUND, 0, 1, 0.7, "a3", true, "a3", "m1").last("a3").graph();
        assertThat(marked(graph, Lot.LINEAGE)).containsExactly("c0", "c1", "m1", "a1", "a3");
        assertThat(marked(graph, Lot.KEPT)).containsExactly("a0", "r1");
        assertThat(node(graph, "finalization")).satisfies(one -> assertThat(one.score()).isEqualTo(0.9),
                one -> assertThat(one.lot()).isEqualTo(Lot.FINAL));
    }

    @Test
    void theRoundThatTheFinalChoiceTookIsTheEnsembleThatCounts() {
        and("r0", Part.ROUND, 0, 0, 0.95, "a3", null).and("r1", Part.ROUND, 0, 1, 0.9, "a3", null).last("r1");
        assertThat(new SolutionAncestry(tried, MetricDirection.MAXIMIZE).ensemble().orElseThrow().id()).isEqualTo("r1");
        assertThat(marked(graph(), Lot.DROPPED)).containsExactly("r0");
    }

    @Test
    void whatTheChecksMadeIsTheInitialSolutionEvenIfItIsWorse() {
        assertThat(new SolutionAncestry(firstPhase().tried, MetricDirection.MAXIMIZE).initial().orElseThrow().id())
                .isEqualTo("m1");
        and("e", Part.CHECKED, 0, 0, 0.4, "m1", true, "m1");
        assertThat(new SolutionAncestry(tried, MetricDirection.MAXIMIZE).initial().orElseThrow().score())
                .isEqualTo(Score.printed(0.4));
    }

    @Test
    void nothingAndFailuresOnlyAreGraphsToo() {
        assertThat(graph().nodes()).isEmpty();
        and("c0", Part.CANDIDATE, 0, 0, null, null, false);
        assertThat(marked(graph(), Lot.FAILED)).containsExactly("c0");
        assertThat(node(last("unknown").graph(), "finalization").parents()).isEmpty();
    }

    @Test
    void tooManyAreCutToWhatMattersAndTheLinesGoOnAcrossTheGaps() {
        and("c0", Part.CANDIDATE, 0, 0, 0.0, null, true);
        for (int block = 0; block < 250; block++) {
            for (int k = 0; k < 8; k++) {
                and("b" + block + "a" + k, Part.ATTEMPT, block, k, block / 1000.0, null, k == 7,
                        block == 0 ? "c0" : "b" + (block - 1) + "a7");
            }
        }
        SolutionGraph graph = last("b249a7").graph().bounded(100);
        assertThat(graph.nodes()).hasSize(100);
        assertThat(graph.leftOut()).isEqualTo(2_002 - 100);
        assertThat(graph.note()).startsWith("100 of 2002 solutions");
        assertThat(graph.nodes()).allMatch(Node::isMain);
        assertThat(graph.nodes().subList(1, 100)).allSatisfy(one -> assertThat(one.parents()).hasSize(1));
        assertThat(graph.chapters()).last().satisfies(
                chapter -> assertThat(chapter.nodes()).extracting(Node::title).containsExactly("Final script"));
    }

    private SolutionHistory history(String run) {
        Records records = new Records(store);
        return new SolutionHistory(records, records.header(run).orElseThrow());
    }

    private static List<CandidateSolution> ordered(SolutionHistory history) {
        return history.look().solutions().stream().sorted(Comparator.comparing(one -> one.step().toString())).toList();
    }

    @Test
    void itSaysTheSameWhenReadAtOnceAsWhenFollowed() {
        SolutionHistory followed = history("r");
        while (run.goOn(30)) {
            assertThat(followed.look().solutions()).hasSizeLessThan(40);
        }
        assertThat(ordered(followed)).isEqualTo(ordered(history("r"))).filteredOn(one -> one.part() == Part.ATTEMPT)
                .hasSize(2 * 3 * 2);
        assertThat(followed.look().of(Part.FINAL)).hasSize(1);
    }

    @Test
    void itsAttemptsAreThoseThatTheStepsThemselvesTell() {
        run.untilTheEnd();
        List<CandidateSolution> tried = history("r").look().solutions();
        Walk.SHARED.steps(run.records(), "r").map(StepView::of).forEach(step -> {
            assertThat(OuterStep.isName(step.path().name())).as(step.path().toString())
                    .isEqualTo(step.step() instanceof OuterStep);
            if (step.path().plainName().startsWith("attempt") || step.path().plainName().startsWith("round")) {
                assertThat(tried).filteredOn(one -> one.step().equals(step.path())).singleElement()
                        .satisfies(one -> assertThat(one.score()).isEqualTo(step.score()));
            }
        });
    }

    @Test
    void whatHasEndedIsReadOnceAndTheAttemptsOfABlockNotAtAll() {
        run.until("phase2-path0/block1");
        SolutionHistory history = history("r");
        store.forget();
        history.look();
        assertThat(store.read()).doesNotHaveDuplicates().noneMatch(key -> key.contains("block0/attempt"))
                .noneMatch(key -> key.contains("planner"))
                .contains("runs/r/steps/phase2-path0/block0.result.json")
                .doesNotContain("runs/r/steps/phase2-path0/block0.request.json");
        run.untilTheEnd();
        history.look();
        store.forget();
        history.look();
        assertThat(store.read()).as("nothing has happened").isEmpty();
    }

    @Test
    void whatAForkSharesIsFoundWithTheOtherRun() {
        run.untilTheEnd();
        DrivenRun fork = DrivenRun.sharing(store, "f", "r", CONFIG).untilTheEnd();
        List<CandidateSolution> tried = history(fork.records().header("f").orElseThrow().runId()).look().solutions();
        assertThat(tried).hasSameSizeAs(history("r").look().solutions()).extracting(CandidateSolution::step)
                .extracting(StepPath::run).contains("r");
    }

    @Test
    void theWholeRunIsAGraphWithOneFinalScriptWhoseDescentHasNoGap() {
        run.untilTheEnd();
        SolutionGraph graph = history("r").look().graph(StepPath::inside);
        assertThat(graph.nodes()).filteredOn(node -> node.lot() == Lot.FINAL).hasSize(1);
        List<String> ids = graph.nodes().stream().map(SolutionGraph.Node::id).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(graph.nodes())
                .allSatisfy(node -> assertThat(ids.subList(0, ids.indexOf(node.id()))).containsAll(node.parents()));
        assertThat(graph.nodes()).filteredOn(node -> !node.stage().name().equals("Models")).isNotEmpty()
                .allSatisfy(node -> assertThat(node.parents()).as(node.id()).isNotEmpty());
        assertThat(graph.nodes()).filteredOn(SolutionGraph.Node::isMain)
                .allSatisfy(node -> assertThat(node.score()).isNotNull())
                .anyMatch(node -> node.chapter().equals("Initial solution") && node.parents().isEmpty());
    }

    @Test
    void aSearchOnWholeScriptsIsToldByItsAttempts() {
        OneEngine engine = new OneEngine();
        engine.runToTheEnd(STRONG);
        RunHeader header = engine.records.header("r").orElseThrow();
        SolutionAncestry ancestry = new SolutionHistory(engine.records, header).look();
        List<CandidateSolution> turns = ancestry.of(Part.TURN);

        assertThat(turns).hasSizeBetween(6, 11)
                .allSatisfy(turn -> assertThat(turn.id())
                        .matches("phase2/leg0/path" + turn.path() + "-attempt" + turn.number()));
        assertThat(turns).extracting(CandidateSolution::accepted).contains(true, false);
        assertThat(turns).allSatisfy(turn -> assertThat(turn.from()).isNotEmpty());
        assertThat(ancestry.graph(StepPath::inside).nodes()).extracting(SolutionGraph.Node::id)
                .contains(turns.getFirst().id());

        String report = Report.html(engine.records, header, World.NOW.plusSeconds(1000))
                .replaceAll("(?s)<[^>]*>", " ")
                .replaceAll("\\s+", " ");
        String tree = StepTree.of(engine.records, header, StepTree.Look.PLAIN);

        assertThat(report).contains("Path 0, attempt ", "coder-script 13 0 13 0 13 2 ");
        assertThat(tree).containsPattern("coder-script .*1 \\+ 1 tokens")
                .containsPattern("path0-attempt0 .*study: I want to know\\.")
                .containsPattern("path0-attempt1 .*score 0\\.\\d+ \\(.*This helps\\.");

        assertThat(RunTally
                .count(engine.records, header, engine.records.below(StepPath.root("r")), false,
                        new Allowance(List.of()))
                .paths()).containsExactly("completed", "completed");
    }
}
