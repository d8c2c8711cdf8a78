package io.mlestar.app.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.engine.World;
import io.mlestar.core.phase.MadeUpHarness;
import io.mlestar.core.phase.MadeUpPython;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.show.log.Ear;
import io.mlestar.show.log.StepLog;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.report.Report;
import io.mlestar.show.view.SolutionHistory;
import io.mlestar.show.view.StepDetail;
import io.mlestar.show.view.StepTree;
import module java.base;
import org.junit.jupiter.api.Test;

/// A whole run of preset `strong`: log, terminal, page, report, tree and result say what its phases
/// decided. The second model leads within noise, and the first path begins with it. On that path
/// the first attempt is the best; on the other one both are better than what was before. The
/// combination leads in the search, the blend on all hidden rows together.
class StrongRunTest {
    private static final ObjectNode CONFIG = Preset.STRONG.settings()
            .setAll((ObjectNode) Json.tree(Map.of("num_retrieved_models", 2, "num_parallel_solutions", 2, "attempts", 4,
                    "studies", 0, "agents_look", 0)));
    private static final Map<String, String> ANSWERS = Map.ofEntries(
            Map.entry("phase1/retriever",
                    Json.line(Map.of("models",
                            Stream.of("a", "b").map(name -> Map.of("model_name", name, "example_code", "x"))
                                    .toList()))),
            Map.entry("phase1/candidate0/init", code(script("a()", 0.8, 0.79, 0.01, 0))),
            Map.entry("phase1/candidate1/init", code(script("b()", 0.805, 0.79, 0.05, 0))),
            Map.entry("phase2/leg0/path0-attempt0/coder-script", solution(script("b(1)", 0.835, 0.8, 0.05, 0))),
            Map.entry("phase2/leg0/path0-attempt1/coder-script", solution(script("b(2)", 0.82, 0.81, 0.05, 1))),
            Map.entry("phase2/leg0/path1-attempt0/coder-script", solution(script("a(1)", 0.82, 0.81, 0.01, 2))),
            Map.entry("phase2/leg0/path1-attempt1/coder-script", solution(script("a(2)", 0.83, 0.8, 0.02, 0))),
            Map.entry("phase3/round0/ensembler", code(script("mean()", 0.9, 0.6, 0.01, 0))));
    private static final String FIRST = "phase2/leg0/path0-attempt0";
    private static final String SECOND = "phase2/leg0/path0-attempt1";
    private static final String OTHER = "phase2/leg0/path1-attempt0";

    private final Map<String, String> answers = new HashMap<>(ANSWERS);
    private boolean lastCrashes;
    private String folds = "[100]";
    private String digest = "d1";
    private final List<String> log = new ArrayList<>();
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final Watchers watchers = new Watchers();
    private final OneEngine one =
            new OneEngine(new MemoryStore(), new World(1, 0), OneEngine.MovingClock.ticking(World.NOW, 10), watchers);
    private final RunHeader header = World.header("r", CONFIG.toString());

    private static String script(String code, double search, double select, double error, int weight) {
        return code + "\n# score " + search + "\n# select " + select + "\n# error " + error + "\n# weight " + weight
                + "\n# submits 7";
    }

    private static String code(String code) {
        return "```python\n" + code + "\n```";
    }

    private static String solution(String script) {
        return "It will help.\nKind: solution\n" + code(script);
    }

    private void play() {
        one.world.asking(question -> question.answer(text -> answers.getOrDefault(question.step().inside(), text)));
        one.world.running(job -> switch (job.script().kind()) {
            case HOLDOUT ->
                Execution
                        .of(new EvaluationResult(Score.NONE,
                                "{\"scheme\": \"at random\", \"rows\": " + folds + ", \"select\": 100, \"files\": []}",
                                "", 0, 1.0,
                                false, null), false, new Execution.Submission("holdouts/" + digest, 1, 1), null);
            case SUBMISSION ->
                lastCrashes ? World.execution(null, "", "ValueError: no memory", null) : MadeUpPython.run(job.script());
            case SOLUTION -> MadeUpPython.run(job.script());
            case MACHINE, DATA_CARD, SPLIT, METRIC, ABLATION, STUDY -> job.execution();
        });
        one.world.scoring((_, _) -> MadeUpHarness.ofPython());
        one.store.create("kept.csv", "id,y\n1,0\n".getBytes(StandardCharsets.UTF_8));
        try (Ear ear = new Ear("mle_star", line -> log.add(line.getMessage()));
                Progress progress = new Progress(one.records, header,
                        new PrintStream(terminal, true, StandardCharsets.UTF_8), Display.LINES)) {
            watchers.add(new StepLog(() -> 2));
            watchers.add(progress);
            one.engine.start(header);
            one.until(() -> one.records.result(StepPath.root("r")).isPresent());
        }
    }

    private FinalResult result() {
        return Json.read(Json.parse(one.store.read("runs/r/result.json").orElseThrow()), FinalResult.class);
    }

    private List<String> solutions(Lot lot) {
        return new SolutionHistory(one.records, header).look().graph(StepPath::inside).nodes().stream()
                .filter(node -> node.lot() == lot)
                .map(SolutionGraph.Node::id).toList();
    }

    /// The report's words, without marks.
    private String report() {
        return Report.html(one.records, header, World.NOW.plusSeconds(1000)).replaceAll("(?s)<[^>]*>", " ")
                .replaceAll("\\s+", " ");
    }

    private String tree(String step) {
        return StepTree.of(one.records, header, StepTree.Look.PLAIN).lines()
                .dropWhile(line -> !line.strip().startsWith(step.split("/")[0] + " "))
                .filter(line -> line.strip().startsWith(step.substring(step.lastIndexOf('/') + 1) + " ")).findFirst()
                .orElseThrow();
    }

    private JsonNode detail(String step) {
        return Json.tree(StepDetail.of(one.records, new StepPath("r", step)).orElseThrow()).path("result")
                .path("value");
    }

    @Test
    void theTerminalCallsNothingTheBestThatNoPhaseAccepted() {
        play();
        List<String> best =
                terminal.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("best so far"))
                        .map(line -> line.strip().replaceAll("^\\S+ +(\\S+) .*score ([\\d.]+).*", "$1 $2")).toList();
        assertThat(best).containsExactly("phase1 0.80500", FIRST + " 0.83500");
        assertThat(terminal.toString(StandardCharsets.UTF_8)).contains("kept, score 0.83500 ± 0.050  best so far");
    }

    @Test
    void theBestOfModelsIsTheBestModelForAllAlsoWithinNoise() {
        play();
        assertThat(result().gains().getFirst().step()).isEqualTo("phase1/candidate1");
        assertThat(result().lineage()).contains("phase1: initial solution, from b: score 0.805 ± 0.050");
        assertThat(solutions(Lot.DROPPED)).doesNotContain("phase1/candidate1");
        assertThat(report()).contains("Best single model 0.80500 ± 0.050");
        assertThat(one.records.request(StepPath.parse("r/phase2")).orElseThrow().input().at("/starts/1/step").asText())
                .as("the other path begins with the other model").isEqualTo("phase1/candidate0");
    }

    @Test
    void theBestOfPathsIsTheBestPathForAllAlsoWithinNoise() {
        play();
        assertThat(result().lineage()).contains("phase2: best solution, of path0: score 0.835 ± 0.050");
        assertThat(result().gains().get(1).step()).isEqualTo(FIRST);
        assertThat(report()).contains("Best refined path 0.83500 ± 0.050");
    }

    @Test
    void theEnsembleThatTheKeptRowsChoseIsTheOneForAll() {
        play();
        assertThat(result().chosen().step()).isEqualTo("phase3/blend");
        assertThat(solutions(Lot.LINEAGE)).contains("phase3/blend", SECOND, OTHER, FIRST)
                .doesNotContain("phase3/round0");
        assertThat(solutions(Lot.DROPPED)).contains("phase3/round0");
        assertThat(report()).contains("Ensemble, greedy blend").doesNotContain("Ensemble, round 0")
                .contains("Final solution 0.83000 ± 0.010").contains("rows kept for the choice 0.82000 ± 0.010");
        assertThat(log).noneMatch(line -> line.contains("best-selection"));
        assertThat(log).filteredOn(line -> line.contains("pipeline-complete")).singleElement().asString()
                .contains("chosen=phase3/blend");
        assertThat(RunSummary.lines(result())).contains(
                "score      0.83000 ± 0.010 (AUC on hidden rows), 0.82000 ± 0.010 on those kept for the choice",
                "baseline   0.805 (initial solution), gain +0.02500 ± 0.040, within noise");
        assertThat(terminal.toString(StandardCharsets.UTF_8))
                .containsPattern("finalization +done, score 0\\.83000 ± 0\\.010");
    }

    @Test
    void whatAPathKeepsIsSaidByTheAttemptAlone() {
        play();
        assertThat(solutions(Lot.KEPT)).contains("phase2/leg0/path1-attempt1");
        assertThat(solutions(Lot.LINEAGE)).as("as a member of the blend").contains(SECOND);
        assertThat(tree(SECOND)).contains("(−0.01500 ± 0.0");
        assertThat(result().phase2Results()).flatMap(path -> path.stepHistory().getFirst().decisions())
                .extracting(decision -> decision.step() + " " + decision.accepted() + " against "
                        + decision.comparedWith().step())
                .containsExactly(FIRST + " true against phase1/candidate1", SECOND + " false against " + FIRST,
                        OTHER + " true against phase1/candidate0", "phase2/leg0/path1-attempt1 true against " + OTHER);
    }

    @Test
    void everyScriptThatWasTriedHasItsVerdictWithWhatItWasMadeOf() {
        play();
        assertThat(Stream.of(result().phase1().decisions(), result().phase3().decisions()).flatMap(List::stream)
                .map(decision -> decision.step() + " " + decision.score().value() + " "
                        + decision.from().stream().map(member -> member.weight() + " " + member.step()).toList()
                        + " " + decision.accepted()
                        + (decision.comparedWith() == null ? "" : " against " + decision.comparedWith().step())))
                .containsExactly("phase1/candidate1 0.805 [] true",
                        "phase1/candidate0 0.8 [] false against phase1/candidate1",
                        "phase3/blend 0.83 [1 " + SECOND + ", 2 " + OTHER + "] null against " + FIRST,
                        "phase3/round0 0.9 [1 " + FIRST + ", 1 phase2/leg0/path1-attempt1] null against " + FIRST);
    }

    @Test
    void aScriptThatLosesTheRaceIsStoppedAndNoFailureForAll() {
        folds = "[100, 100, 100]";
        digest = MadeUpPython.FOLDED;
        answers.put(SECOND + "/coder-script", solution(script("a(2)", 0.5, 0.4, 0.02, 9)));
        play();
        String said = "stopped after the first fold";
        assertThat(log).filteredOn(line -> line.contains("race-lost")).singleElement().asString()
                .contains(said + ": surely worse, by 0.3");
        assertThat(terminal.toString(StandardCharsets.UTF_8)).contains(SECOND + "/evaluation").contains(said);
        assertThat(tree(SECOND)).contains("no score  " + said);
        assertThat(report()).contains(said);
        assertThat(solutions(Lot.DROPPED)).contains(SECOND);
        assertThat(solutions(Lot.FAILED)).doesNotContain(SECOND);
        assertThat(one.records.request(StepPath.parse("r/" + SECOND + "/evaluation/fold"))).isEmpty();
        assertThat(one.records.request(StepPath.parse("r/" + FIRST + "/evaluation/fold-2"))).isPresent();
        assertThat(result().phase3().attempts().getFirst().members()).extracting(member -> member.step())
                .doesNotContain(SECOND);
        assertThat(result().phase2Results().getFirst().stepHistory().getFirst().innerLoopAttempts().get(1).finding()
                .remark()).startsWith(said);
        assertThat(detail(FIRST + "/evaluation/combination").at("/validation/rows").asText()).isEqualTo(digest);
    }

    @Test
    void ifTheLastScriptFailsTheRunHandsInWhatTheBlendPredicted() {
        one.store.create("blended.csv", "id,y\n7,0.5\n".getBytes(StandardCharsets.UTF_8));
        lastCrashes = true;
        play();
        assertThat(result().submissionSource()).isEqualTo("phase3/blend");
        assertThat(result().submissionReplaced()).contains("ValueError: no memory");
        assertThat(new String(one.store.read("runs/r/submission.csv").orElseThrow(), StandardCharsets.UTF_8))
                .contains("7,0.5");
        assertThat(report()).contains(
                "phase3/blend when it was scored; finalization: its members could not be trained again: ValueError: no memory");
    }
}
