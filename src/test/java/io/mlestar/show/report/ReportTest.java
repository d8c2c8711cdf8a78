package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Survey;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import io.mlestar.show.view.LiveRun;
import module java.base;
import org.junit.jupiter.api.Test;

/// The report of a run; and which agents receive the notes that people send to it.
class ReportTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 3, \"ensemble_rounds\": 2}";

    private static final SolutionScript SCRIPT = SolutionScript.unscored("x = 1", SolutionPhase.INIT);

    private static final String ADVICE = "try <b>target encoding</b> of the operator";
    private static final String LINES = "y = 1\n  z = 2";

    private static final MadeRun RUN = MadeRun.ended(new MemoryStore(), "r", CONFIG, 3, 20);
    private static final String WHOLE = html(RUN);

    private final MemoryStore store = new MemoryStore();

    private final Records records = new Records(store);
    private final Notes notes = new Notes(store);

    private static String html(MadeRun run) {
        return Report.html(run.records(), run.header(), run.end());
    }

    private static String text(String html) {
        return html.replaceAll("(?s)<style>.*?</style>", "").replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
    }

    private static String section(String html, String heading) {
        int from = html.indexOf("<h2>" + heading);
        assertThat(from).as("there is a section " + heading).isPositive();
        return text(html.substring(from, html.indexOf("</section>", from)));
    }

    @Test
    void tellsTheWholeStoryOfARun() {
        assertThat(text(WHOLE)).contains("made-up", "AUC, higher is better", "Completed in");
        assertThat(section(WHOLE, "Against the best single model")).contains("Guessing 0.50000", "Best single model",
                "Final solution");
        assertThat(section(WHOLE, "From single models")).contains("Model 1", "Path 0, block 0", "Path 1, block 1",
                "Ensemble, round");
        assertThat(section(WHOLE, "Refined blocks")).contains("Attempt 0", "Before", "After");
        assertThat(section(WHOLE, "Ensemble rounds")).contains("Round 0", "Round 1");
        assertThat(section(WHOLE, "Where the final script comes from")).contains("phase1: initial solution",
                "finalization:");
        assertThat(section(WHOLE, "What went wrong")).contains("ValueError: made to crash", "made to fail");
        assertThat(section(WHOLE, "Cost and time")).contains("planner", "all agents", "solution", "phase2-path1");
        assertThat(section(WHOLE, "Environment")).contains("made:up", "8 processors", "numpy 2.1.0",
                "inner_loop_steps 3");
        assertThat(section(WHOLE, "Final script")).contains("BLOCK");
    }

    @Test
    void aRunThatHasBarelyBegunOrFailedHasAReportToo() {
        MadeRun begun = MadeRun.after(store, "begun", CONFIG, 1, 0, 2);
        assertThat(text(html(begun))).contains("Under way since");
        assertThat(Report.of(begun.records(), begun.header())).isEmpty();
        MadeRun failed = MadeRun.ended(store, "failed", CONFIG, 1, 100);
        assertThat(text(html(failed))).contains("Failed after",
                "What went wrong");
        assertThat(Report.of(failed.records(), failed.header())).isPresent();
    }

    @Test
    void theHiddenScoreStandsBesideTheValidationScoreAndACollapseIsSaid() {
        MadeRun run = MadeRun.ended(store, "r", CONFIG, 3, 0);
        byte[] first = Report.of(run.records(), run.header()).orElseThrow();
        store.create(Records.key("r", Grade.FILE), ChecksummedJson.bytes(new Grade("AUC", 0.1234, 77)));
        String html = html(run);
        assertThat(section(html, "Against the best single model")).contains("Final submission, hidden labels 0.12340",
                "77 hidden labels; −");
        assertThat(text(html)).contains("validation was overfitted");
        assertThat(Report.of(run.records(), run.header()).orElseThrow()).as("what is in the store stays")
                .isEqualTo(first);
    }

    private static Validation drawn(double score, double... draws) {
        return new Validation("d1", "p", score, score - 0.01, DoubleStream.of(draws).boxed().toList(),
                List.of(0.5, 0.6));
    }

    @Test
    void hiddenRowsErrorsAndGainsWithinNoiseAreSaid() {
        MadeRun other = MadeRun.after(new MemoryStore(), "r", CONFIG, 1, 0, 1);
        SolutionScript first = SCRIPT.scored(Score.by(drawn(0.7, 0.69, 0.71))).by("phase1/candidate0");
        SolutionScript second = SCRIPT.scored(Score.by(drawn(0.6, 0.59, 0.61))).by("phase1/candidate1");
        keep("survey", new Survey(),
                Facts.NONE.hiding(new Holdout("d", "whole days, <b>since</b> the test has other ones",
                        List.of(1200), 1100, false, List.of(), null)));
        store.create("runs/r/steps/phase1.request.json",
                ChecksummedJson.bytes(StepRequest.of(new InitialSolution(), Instant.EPOCH, Instant.EPOCH)));
        keep("phase1/candidate0", new Candidate(0, new RetrievedModel("trees", "code"), false, null), first);
        SolutionScript merged = SCRIPT.scored(Score.by(drawn(0.704, 0.68, 0.73))).by("phase1/merge1");
        keep("phase1/merge1", new Merge(1, first, second),
                new Merge.Result(merged, Decision.of(merged, List.of(first, second), first, false)));
        String html = Report.html(new Records(store), other.header(), other.end());
        assertThat(text(html)).contains("an evaluation on hidden rows").doesNotContain("validation split");
        assertThat(text(html))
                .contains("Scores are computed from hidden rows: 1,200 for the search, 1,100 for the final choice;"
                        + " whole days, &lt;b&gt;since&lt;/b&gt; the test has other ones.");
        assertThat(section(html, "From single models")).contains("0.70000 ± 0.014", "0.70400 ± 0.035",
                "+0.00400 ± 0.021, within noise");
    }

    private void keep(String step, Step<?> asked, Object value) {
        StepPath path = new StepPath("r", step);
        StepRequest request = StepRequest.of(asked, Instant.EPOCH, Instant.EPOCH);
        StepResult result = StepResult.of(new Outcome.Done<>(value), Instant.EPOCH, Instant.EPOCH, 0.0);
        assertThat(store.create(Records.stepKey(path) + ".request.json", ChecksummedJson.bytes(request))).isTrue();
        assertThat(store.create(Records.stepKey(path) + ".result.json", ChecksummedJson.bytes(result))).isTrue();
    }

    /// A ninth block of the first path.
    private void block(String plan, String code, String summary, String won) {
        keep("phase2-path0/block9", new OuterStep(0, 9, SCRIPT.scored(Score.printed(0.1)), List.of(), List.of()),
                new OuterStep.Result(new StepRecord(9, summary, code, plan,
                        List.of(new RefinementAttempt(plan, 0.9, won, true, null)), 0.9, false, false, true,
                        List.of(new Decision("phase2-path0/block9/attempt0", Score.printed(0.9), List.of(), null,
                                true))),
                        SCRIPT, null, null));
    }

    @Test
    void hostileTextsOfARunAreEscaped() {
        MadeRun made = MadeRun.ended(store, "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}", 3, 30);
        String hostile = "\"'><img src=x onerror=alert(1)></script><script>alert(1)</script>{report.run}";
        TaskDescription task = made.header().task();
        RunHeader run = new RunHeader("r",
                new TaskDescription(hostile, task.taskType(), task.dataModality(), hostile, task.metricDirection(),
                        task.description(), hostile, null),
                made.header().config(), hostile, hostile, hostile, made.header().startedAt(), made.header().deadline(),
                null, null);
        keep("phase1/candidate9", new Candidate(9, new RetrievedModel(hostile, "code"), false, null),
                SCRIPT.scored(Score.printed(0.9)));
        keep("phase1/candidate9/script", new RunScript(hostile, RunScript.Kind.SOLUTION, 60),
                new Execution.Crashed(new EvaluationResult(Score.NONE, hostile, "", 1, 1, true, null), hostile));
        block(hostile, hostile, hostile, hostile + "2");
        String html = Report.html(made.records(), run, made.end());
        assertThat(html).contains("&lt;img src=x").doesNotContain("<img", "<script", "onerror=alert(1)>")
                .contains("{report.run}");
        assertThat(html.split("&lt;img src=x", -1).length).as("model, bug, plan, block, summary, diff")
                .isGreaterThan(10);
    }

    @Test
    void hugeTextsMakeNoHugePage() {
        MadeRun run = MadeRun.ended(store, "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}", 3, 0);
        String line = "x".repeat(1 << 20);
        String lines = "y = 1\n".repeat(1 << 17);
        block(line, line + "\n" + lines, lines, lines + "z\n".repeat(100_000));
        keep("phase2-path0/block9/script", new RunScript(line, RunScript.Kind.ABLATION, 60),
                new Execution.Crashed(new EvaluationResult(Score.NONE, line, "", 1, 1, true, null), line));
        assertThat(html(run)).hasSizeLessThan(400_000);
    }

    @Test
    void stepsSharedWithAForkAreShownButNotChargedAgain() {
        MadeRun first = MadeRun.ended(store, "first", CONFIG, 3, 0);
        RunHeader other = first.header();
        RunHeader fork = new RunHeader("fork", other.task(), other.config(), other.hardware(), other.version(),
                other.promptsDigest(), other.startedAt(),
                other.deadline(), new RunHeader.Origin("first", null, first.end(), null), null);
        StepPath phase1 = new StepPath("first", "phase1");
        StepResult known = first.records().result(phase1).orElseThrow();
        store.create("runs/fork/steps/phase1.request.json",
                ChecksummedJson.bytes(first.records().request(phase1).orElseThrow()));
        store.create("runs/fork/steps/phase1.result.json", ChecksummedJson.bytes(known.sharedWith(phase1)));
        String html = Report.html(new Records(store), fork, first.end());
        assertThat(text(html)).contains("began with finished steps of run first", "0 calls of agents");
        assertThat(section(html, "From single models")).contains("Model 1", "Model 3");
    }

    @Test
    void holdsNoScriptNoStyleAttributeAndNothingFromElsewhere() {
        assertThat(WHOLE).doesNotContain("<script", " style=", "http://", "https://", "<link", "url(")
                .contains("default-src 'none'");
        Matcher handlers = Pattern.compile("<[^>]*\\son\\w+=").matcher(WHOLE);
        assertThat(handlers.find()).isFalse();
        assertThat(WHOLE.split("<table", -1)).hasSameSizeAs(WHOLE.split("</table>", -1));
        assertThat(WHOLE.split("<details", -1)).hasSameSizeAs(WHOLE.split("</details>", -1));
        assertThat(WHOLE.split("<section", -1)).hasSameSizeAs(WHOLE.split("</section>", -1));
    }

    @Test
    void everySolutionOfTheGraphLeadsToAPlaceInTheReport() {
        List<String> places =
                Pattern.compile("href=\"#([^\"]*)\"").matcher(WHOLE).results().map(found -> found.group(1))
                        .distinct().toList();
        assertThat(places).contains("improvements", "rounds", "final-script", "phase2-path0/block1")
                .allSatisfy(place -> assertThat(WHOLE).contains("id=\"" + place + "\""));
        assertThat(section(WHOLE, "Solutions")).contains("Final script", "Path 1, block 0", "Attempt 2");
    }

    @Test
    void theFinalScriptIsInColoursAndCanBeSavedAsItIs() {
        String saved = WHOLE.replaceAll("(?s).*href=\"data:text/x-python;charset=utf-8;base64,([^\"]*)\".*", "$1");
        assertThat(Base64.getDecoder().decode(saved))
                .isEqualTo(RUN.records().store().read("runs/r/final_solution.py").orElseThrow());
        assertThat(WHOLE).contains("<span class=\"py-string\">");
    }

    @Test
    void aLongRunMakesAPageThatABrowserCanOpen() {
        MadeRun run = MadeRun.ended(store, "long",
                "{\"outer_loop_steps\": 40, \"inner_loop_steps\": 4, \"time_limit_seconds\": 8640000}", 5, 10);
        String html = html(run);
        assertThat(html).hasSizeLessThan(2_000_000);
        assertThat(text(html)).contains("further blocks gained less", "more blocks, which gained less");
        assertThat(run.records().below(StepPath.root("long"))).isNotEmpty();
    }

    private static Note note(String text) {
        return new Note(Instant.now(), "ann", text);
    }

    private RunHeader header() {
        return records.header("r").orElseThrow();
    }

    @Test
    void onlyPlannersAndTheExtractorReceiveANoteFromTheirNextQuestionOn() {
        DrivenRun run = DrivenRun.start(store, "r", CONFIG, 0).until("phase2-path0/block0");
        notes.add("r", note(ADVICE));
        run.untilTheEnd();

        List<String> heard = new ArrayList<>();
        List<String> deaf = new ArrayList<>();
        LiveRun.read(records, header(), step -> {
            if (step.step() instanceof Agent<?> agent
                    && step.known().done().orElse(null) instanceof StepResult.Done done) {
                (done.answer().prompt().contains(ADVICE) ? heard : deaf).add(agent.name());
            }
        });
        assertThat(heard).contains("extractor", "planner", "ens_planner").containsOnly("extractor", "planner",
                "ens_planner");
        assertThat(deaf).as("asked before, or no planner").contains("extractor", "planner", "coder", "init");
    }

    @Test
    void theReportNamesAuthorAndTimeOfANote() {
        DrivenRun run = DrivenRun.start(store, "r", CONFIG, 0).until("phase1");
        notes.add("r", note(ADVICE));
        notes.add("r", note(LINES));
        run.untilTheEnd();

        String html = Report.html(records, header(), Instant.now());
        assertThat(html)
                .contains("What people told the run", "try &lt;b&gt;target encoding&lt;/b&gt; of the operator", "ann, ",
                        "<span class=\"said\">" + LINES + "</span>")
                .doesNotContain("<b>target");
    }
}
