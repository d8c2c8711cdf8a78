package io.mlestar.show.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.ProjectFiles;
import io.mlestar.Requirement;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.Survey;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.show.log.LoggedRun.Ran;
import module java.base;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// The log of steps: the tables of the parts, row by row (`log-tables.csv`), on the log of whole
/// runs, and what these runs do not show.
class LogTablesTest {
    private static final Offset<Double> USD = Offset.offset(1e-9);
    /// A place where the sources begin a line, and the names of its events there.
    private static final Pattern BEGUN =
            Pattern.compile("(?:LogLine\\.(?:debug|info|warn|error)|\\bcode|\\bplan|\\bbreakdown)\\([^),]*");
    private static final Pattern NAME = Pattern.compile("\"([a-z0-9-]+)\"");
    private static final Pattern PHASE_COST = Pattern.compile(" (?!total_)\\S+_cost_usd=([0-9.]+)");
    /// Events of an agent or a phase without lines of its own, which these runs need not have.
    private static final Set<String> GENERAL = Set.of("agent-start", "agent-complete", "phase-complete");
    private static final String NO_CODE = "Sorry, I cannot.";
    private static final String SMALL = "\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"max_debug_attempts\": 1";

    private static Map<String, List<String>> logs;

    private final Logger logger = Logger.getLogger("mle_star");
    private final List<String> lines = new ArrayList<>();
    private final RunHeader run = World.header("r", "{}");
    private final StepLog log = new StepLog(() -> 2);
    private Ear ear;

    private static String code(String code) {
        return "```python\n" + code + "\n```";
    }

    private static String plans(String block) {
        return Json.line(Map.of("plans", List.of(Map.of("code_block", block, "plan", "Improve it."))));
    }

    private static String leak(String block) {
        return Json.line(Map.of("answers", List.of(Map.of("leakage_status", "Yes Data Leakage", "reason",
                "It scales by all rows.", "code_block", block))));
    }

    private static String firstLine(Extractor extractor) {
        return extractor.solutionScript().lines().findFirst().orElseThrow();
    }

    /// Much goes wrong, and the run comes to its end all the same.
    private static LoggedRun rough() {
        return new LoggedRun(
                "{\"num_retrieved_models\": 5, \"ensemble_rounds\": 3, \"reference_discussions\": [\"a post\"], "
                        + SMALL + "}")
                .answer("phase1/retriever", Json.line(Map.of("models", Stream.of("a", "b", "c", "")
                        .map(name -> Map.of("model_name", name, "example_code", "import " + name)).toList())))
                .scores("phase1/candidate0/evaluation/script", 0.5).scores("phase1/candidate2/evaluation/script", 0.4)
                .crashes("survey/machine")
                .crashes("phase1/candidate1/evaluation/script").crashes("phase1/candidate1/evaluation/script-2")
                .answer("phase1/candidate1/evaluation/debugger", code("x = 1"))
                .answer("phase1/leakage", leak("not there()"))
                .answer("phase2-path0/block0/attempt0/evaluation/leakage", leak("BLOCK = '"))
                .answer("phase2-path0/block0/attempt0/evaluation/leakage-correction", code("CLEAN = '"))
                .scores("phase2-path0/block0/attempt0/evaluation/script", 0.6)
                .answer("phase2-path0/block0/attempt1/planner", " ")
                .crashes("phase2-path0/block1/script").fail("phase2-path0/block1/debugger")
                .ran("phase2-path1/block0/attempt1/evaluation/script", new Ran(null, null, true, null))
                .answer("phase2-path1/block0/extractor", plans("nowhere()"))
                .answer("phase2-path1/block0/extractor-2", agent -> plans(firstLine((Extractor) agent) + "  "))
                .answer("phase2-path1/block0/attempt0/coder", NO_CODE)
                .answer("phase2-path1/block1/extractor", NO_CODE).answer("phase2-path1/block1/extractor-2", NO_CODE)
                .answer("phase3/round0/ens_planner", " ").answer("phase3/round1/ensembler", NO_CODE)
                .ran("phase3/round2/evaluation/script", new Ran(0.7, null, false, 3L))
                .answer("finalization/test-subsampling_extract", code("df = df.sample(12)"))
                .crashes("finalization/evaluation/script")
                .ran("finalization/evaluation/script-2", new Ran(null, null, false, 0L))
                .answer("finalization/test-contamination_check", "Novel");
    }

    /// Every round fails, and finalization too; a script of Phase 2 wrote a submission.
    private static LoggedRun broken() {
        return new LoggedRun("{\"ensemble_rounds\": 2, " + SMALL + "}")
                .answer("phase1/data", code("# more data\nBLOCK = 'all'\nprint('Final Validation Performance: 1')"))
                .scores("phase1/candidate0/evaluation/script", 0.5)
                .ran("phase2-path1/block0/attempt0/evaluation/script", new Ran(0.6, null, false, 4L))
                .crashes("phase3/round0/evaluation/script").crashes("phase3/round0/evaluation/script-2")
                .crashes("phase3/round1/evaluation/script").crashes("phase3/round1/evaluation/script-2")
                .answer("finalization/test-subsampling_extract", code("BLOCK = '"))
                .answer("finalization/test-subsampling_remove", code("ALL = '"))
                .answer("finalization/test", NO_CODE).answer("finalization/test-2", NO_CODE);
    }

    private static LoggedRun single() {
        return new LoggedRun("{\"num_parallel_solutions\": 1, " + SMALL + "}");
    }

    private static LoggedRun hopeless() {
        return new LoggedRun("{" + SMALL + "}").fail("phase1/candidate0/init").answer("phase1/candidate1/init", NO_CODE)
                .crashes("phase1/candidate2/evaluation/script").crashes("phase1/candidate2/evaluation/script-2");
    }

    @BeforeAll
    static void play() {
        logs = Map.of("rough", rough(), "broken", broken(), "single", single(), "hopeless", hopeless()).entrySet()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, run -> run.getValue().played().lines));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/log-tables.csv", numLinesToSkip = 1, delimiter = '|')
    @Requirement({"REQ-EX-039", "REQ-SF-041", "REQ-SF-010", "REQ-SF-021", "REQ-P1-005", "REQ-P1-006", "REQ-P1-021",
        "REQ-P1-038",
        "REQ-P2O-037", "REQ-P2I-032", "REQ-P2I-033", "REQ-P2I-043", "REQ-P3-015", "REQ-P3-026", "REQ-P3-029",
        "REQ-P3-039",
        "REQ-FN-008", "REQ-FN-022", "REQ-FN-025", "REQ-FN-030", "REQ-FN-032", "REQ-FN-039", "REQ-FN-042", "REQ-OR-037",
        "REQ-OR-038", "REQ-OR-039", "REQ-OR-043"})
    void everyRowIsLogged(String requirement, String row, String level, String run, String step, String what,
            String says) {
        List<String> told = logs.get(run).stream()
                .filter(line -> line.contains(" what=" + what + " ") || line.endsWith(" what=" + what))
                .filter(line -> line.matches("(?s).* step=r" + (step == null ? "" : "/" + step) + " .*")).toList();

        assertThat(told).as("%s: %s", requirement, row).isNotEmpty().allMatch(line -> line.startsWith(level + " "))
                .anyMatch(line -> line.matches("(?s).*" + says + ".*"));
    }

    @Test
    @Requirement("REQ-OR-037")
    void whatThePathsCostAddsUpToPhase2AndThePhasesToTheRun() {
        String told = logs.get("rough").stream().filter(line -> line.contains("what=cost-breakdown")).findFirst()
                .orElseThrow();
        double[] paths =
                Stream.of(figure(told, "phase2_per_path").split(",")).mapToDouble(Double::parseDouble).toArray();
        assertThat(paths).hasSize(2).doesNotHaveDuplicates();
        double phase2 = Double.parseDouble(figure(told, "phase2"));
        assertThat(phase2).isEqualTo(paths[0] + paths[1], USD);
        assertThat(PHASE_COST.matcher(told).results().mapToDouble(phase -> Double.parseDouble(phase.group(1))).sum())
                .isEqualTo(Double.parseDouble(figure(told, "total")), USD);
    }

    private static String figure(String line, String of) {
        return line.replaceFirst(".* " + of + "_cost_usd=\\[?([0-9.,]+).*", "$1");
    }

    @Test
    @Requirement("REQ-OR-047")
    void eachPhaseIsMarkedOnceAtItsBeginning() {
        assertThat(logs.get("rough").stream().filter(line -> line.contains("==="))).containsExactly(
                "INFO === Phase 1: Initial Solution Generation ===", "INFO === Phase 2: Refinement ===",
                "INFO === Phase 3: Ensemble ===",
                "INFO === Finalization ===");
    }

    @Test
    void noLineIsLoggedTwiceAndEachNamesItsStep() {
        logs.values()
                .forEach(lines -> assertThat(lines.stream().filter(line -> line.contains(" what=")))
                        .doesNotHaveDuplicates()
                        .allMatch(line -> line.matches("(?s)[A-Z]+ event=[a-z]+ step=r\\S* what=[a-z0-9-]+( .*)?")));
    }

    @Test
    void everyEventOfTheSourcesIsLoggedInOneOfTheRuns() {
        TreeSet<String> silent = ProjectFiles.below(Path.of("src/main/java/io/mlestar/show/log"), ".java").stream()
                .flatMap(file -> BEGUN.matcher(ProjectFiles.text(file)).results())
                .flatMap(line -> NAME.matcher(line.group()).results())
                .map(name -> name.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(silent).hasSizeGreaterThan(100).containsAll(GENERAL);
        silent.removeAll(GENERAL);
        logs.values().stream().flatMap(List::stream)
                .forEach(line -> silent.remove(line.replaceFirst("(?s).* what=(\\S+).*", "$1")));

        // A block that was found is never missing afterwards; these runs hide no rows, submit and
        // score well, and have time and money for all they want.
        assertThat(silent).containsExactlyInAnyOrder("arithmetic-start", "arithmetic-complete",
                "execution-without-score", "invalid-submission",
                "no-submission", "race-lost", "replacement-failure", "step-stopped",
                "submission-rejected");
    }

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        ear = new Ear("mle_star", line -> lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line)));
    }

    @AfterEach
    void stopListening() {
        ear.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    2   | {}                                                        |
                    1   | {}                                                        | 2 refinement paths share 1 slot for scripts
                    3   | {"num_parallel_solutions": 4}                             | 4 refinement paths share 3 slots for scripts
                    """)
    @Requirement("REQ-OR-056")
    void aRunWithMorePathsThanSlotsBeginsWithAWarning(int slots, String config, String warning) {
        StepLog log = new StepLog(() -> slots);
        StepPath root = StepPath.root("r");
        log.asked(World.header("r", config), root, StepRequest.of(new Pipeline(), World.NOW, World.NOW));
        log.asked(World.header("r", config), root.child("survey"), StepRequest.of(new Survey(), World.NOW, World.NOW));
        assertThat(lines.stream().filter(line -> line.startsWith("WARN")))
                .containsExactlyElementsOf(warning == null ? List.of() : List.of("WARN run r: " + warning));
    }

    @Test
    @Requirement("REQ-P2I-033")
    void blockThatCannotBeReplacedIsAWarningWithItsReason() {
        Attempt attempt = new Attempt(0, SolutionScript.unscored("fit()", SolutionPhase.INIT), "fit()", "Plan.",
                List.of(), List.of(), List.of(), new Rival("phase1/candidate0", Score.printed(0.5)));
        StepRequest request = StepRequest.of(attempt, World.NOW, World.NOW);
        log.ended(run, StepPath.parse("r/phase2-path0/block0/attempt0"), request,
                StepResult.of(new Outcome.Done<>(new Attempt.Result(
                        RefinementAttempt.failed("Plan.", "fit_better()"), null,
                        "replacement failed: the block does not occur")), World.NOW, World.NOW, 0.25));
        assertThat(lines).hasSize(3).first().asString().contains("status=done", "cost_usd=0.25");
        assertThat(lines.get(1)).startsWith("WARN").contains("what=replacement-failure k=0",
                "the block does not occur");
        assertThat(lines.get(2)).startsWith("WARN").contains("what=attempt-skipped k=0");
    }

    @Test
    @Requirement({"REQ-OR-030", "REQ-OR-043"})
    void aStoppedStepIsAWarningWithItsReason() {
        StepRequest request = StepRequest.of(
                new Finalization(SolutionScript.unscored("fit()", SolutionPhase.INIT).scored(Score.printed(0.5))),
                World.NOW, World.NOW);
        log.ended(run, StepPath.parse("r/finalization"), request,
                StepResult.of(new Outcome.Stopped<>("the time limit has passed"), World.NOW, World.NOW, 0.0));
        assertThat(lines).hasSize(2)
                .allMatch(line -> line.startsWith("WARN") && line.contains("reason=\"the time limit has passed\""));
        assertThat(lines.get(1)).contains("what=fallback", "phase=init score=0.5");
    }
}
