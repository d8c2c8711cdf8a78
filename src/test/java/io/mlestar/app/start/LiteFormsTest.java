package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.grade.Grade;
import io.mlestar.adapter.grade.Submissions;
import io.mlestar.adapter.grade.Table;
import io.mlestar.adapter.grade.TaskTables;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DamagedRunTest;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Validation;
import module java.base;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// Each of the usual layouts of a competition, through a whole run of preset `strong` with real
/// scripts to its grade. Every score is compared with a few plain lines of Python (`scores.py`).
/// They know the truth from a script that predicts without an error, not from the labels that the
/// survey wrote, so mixed up rows or files show.
class LiteFormsTest extends HeldOutDays {
    private static final Path FOLDER = Path.of("src/test/resources/holdout");
    private static final String CONFIG =
            """
                    {"search": "strong", "folds": 2, "num_retrieved_models": 2, "num_parallel_solutions": 1, "attempts": 1, "studies": 0, "agents_look": 0,
                     "data_card": false}""";
    /// Predicts with errors that its seed decides.
    private static final Path PREDICTS = Path.of("src/test/resources/holdout/predicts.py");

    private JsonNode made;
    private JsonNode form;

    private void make(String layout) throws IOException, InterruptedException {
        Path made = Files.createDirectories(folder.resolve(layout));
        this.made = python(FOLDER.resolve("layouts.py"), new byte[0], layout, made.toString());
        data = made.resolve("input");
        task(this.made.path("metric").asText(), this.made.path("minimize").asBoolean(),
                this.made.path("description").asText() + "Predict.", Json.parse(CONFIG));
    }

    /// @param seed of the errors; none for 0
    private String script(int seed) {
        return ProjectFiles.text(PREDICTS)
                .replace("SEED, KIND, CLASSES, COLUMNS = 0, 'K', [], []",
                        "SEED, KIND, CLASSES, COLUMNS = %d, %s, %s, %s".formatted(seed,
                                made.path("kind"), made.path("classes"), form.path("submission").path("columns")))
                .replace("TOLD", made.path("told").asText());
    }

    private OneEngine play() {
        Map<String, String> answers = Map.of(
                "phase1/retriever",
                Json.line(Map.of("models",
                        Stream.of("a", "b").map(name -> Map.of("model_name", name, "example_code", "x")).toList())),
                "phase1/candidate0/init", code(script(1)), "phase1/candidate1/init", code(script(2)),
                "phase2/leg0/path0-attempt0/coder-script", "It will help.\nKind: solution\n" + code(script(3)),
                "phase3/round0/ensembler", "I have no idea.");
        World world = new World(1, 0);
        world.asking(question -> question.answer(text -> answers.getOrDefault(question.step().inside(), text)));
        ScriptJob scripts = job(strongest());
        world.running(job -> {
            if (job.script().holdout() != null) {
                context = job.context();
            }
            return job.script().kind() == Kind.MACHINE ? job.execution()
                    : scripts.run(job.step(), job.script(), job.context(), job.window(), job.begin());
        });
        world.scoring(scripts::harness);
        OneEngine one = new OneEngine(records.store(), world, OneEngine.MovingClock.ticking(Instant.now(), 1),
                new Watcher() {});
        Instant now = Instant.now();
        one.engine.start(new RunHeader("r", context.task(), context.config(), "no GPU", "test", "digest", now,
                now.plusSeconds(context.config().limits().timeLimitSeconds()), null, null));
        one.deliverAll();
        return one;
    }

    private static String code(String script) {
        return "```python\n" + script + "\n```";
    }

    /// One layout of each kind.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            aptos                     | file   | columns      | hidden rows have their files in "test_images/{key}.png"
            dogs_vs_cats              | file   | file name    | 1 is "dog", as the description says
            leaf                      | row    | class column | hidden rows have their files in "images/{key}.jpg"
            nomad                     | row    | columns      | hidden rows have their files in "test/{key}/"
            pizza                     | record | field        | rows at random
            class_folders_of_patients | file   | folder name  | whole groups of one "folder"
            weighted_sales            | row    | columns      | the last rows by "Week"
            packed_tables             | row    | columns      | rows at random
            """)
    void allScoresOfARunAreRightInEachKindOfLayout(String layout, String example, String label, String scheme)
            throws IOException, InterruptedException {
        allScoresAreRight(layout, example, label, scheme);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvFileSource(resources = "/cases/other-layouts.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '\'')
    void allScoresOfARunAreRightInTheOtherLayouts(String layout, String example, String label, String scheme)
            throws IOException, InterruptedException {
        allScoresAreRight(layout, example, label, scheme);
    }

    /// @param scheme what the line on the hidden rows holds
    private void allScoresAreRight(String layout, String example, String label, String scheme)
            throws IOException, InterruptedException {
        make(layout);
        form = Json.parse(run(SurveyScripts.form(60, "", List.of()), Kind.DATA_CARD).evaluation().stdout())
                .path("form");
        assertThat(form.path("example").path("is").asText()).as(form.toString()).isEqualTo(example);
        assertThat(form.path("label").path("at").asText()).isEqualTo(label);

        OneEngine one = play();

        assertThat(one.end("r").reason()).as(text("runs/r/steps/survey.result.json")).isNull();
        JsonNode result = Json.parse(text("runs/r/result.json"));
        assertThat(context.facts().holdout().scheme()).contains(scheme);
        eachFileIsShownOnce(0);
        assertThat(result.path("chosen").path("step").asText()).as(result.toString()).isEqualTo("phase3/blend");
        assertThat(result.path("submission_source").asText()).isEqualTo("finalization");
        assertThat(Json.parse(text("runs/r/steps/finalization/comparison.result.json")).path("value").path("distance")
                .asDouble())
                .as("of the last script, which blends in Python; ranks are among other rows there").isLessThan(0.1);
        List<JsonNode> validations = validations(one);
        assertThat(validations).as("two folds of three scripts, each script, and their blend").hasSize(3 * 2 + 3 + 1);
        Map<String, String> predictions = new TreeMap<>();
        validations.forEach(validation -> predictions.put(predictions(validation), text(predictions(validation))));
        JsonNode scores = scores(Math.max(1, form.path("submission").path("key").size()), truth(),
                text("runs/r/holdout/" + context.hiddenRows() + "/labels.csv"), predictions, blend(result));
        for (JsonNode validation : validations) {
            // Means of ranks that would be equal differ in their last digits.
            double digits =
                    predictions(validation).contains("blend") && context.task().evaluationMetric().contains("AUC")
                            ? 1e-3 : 1e-9;
            for (String part : List.of("search", "select")) {
                assertThat(validation.path(part).asDouble()).as(part + " of " + validation)
                        .isCloseTo(scores.path(predictions(validation)).path(part).asDouble(), within(digits));
            }
        }
        Path labels = data.resolveSibling("labels.csv");
        String submitted = text("runs/r/submission.csv");
        Table submission = Submissions.read(TaskTables.of(data, Optional.empty()), "submission",
                new ByteArrayInputStream(submitted.getBytes(StandardCharsets.UTF_8)));
        Grade grade = Grade.of(context.task().evaluationMetric(), submission,
                Table.read("labels", labels, submission.format().keys()));
        JsonNode graded = scores(submission.format().keys(), List.of(Files.readString(labels)), null,
                Map.of("submission", submitted), Map.of());
        assertThat(grade.score()).isCloseTo(graded.path("submission").path("search").asDouble(), within(1e-9));
    }

    /// The two of the 22 that no rule covers.
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    denoising | there is no table for training, and no files are called as the ids of "sampleSubmission.csv" are
                    birds     | there is no table for training, and no files are called as the ids of "sample_submission.csv" are
                    """)
    void whereNoRuleCoversALayoutTheReasonIsSaid(String layout, String reason)
            throws IOException, InterruptedException {
        make(layout);
        assertThat(Json.parse(run(hiding(2), Kind.HOLDOUT).evaluation().stdout()).path("missing").asText())
                .isEqualTo(reason);
    }

    /// The validations in the store for each script and each part of the hidden rows; blends that
    /// only tell what an attempt adds are left out.
    private static List<JsonNode> validations(OneEngine one) {
        Map<String, JsonNode> found = new TreeMap<>();
        DamagedRunTest.objects(one.store, "runs/r/steps").forEach((key, record) -> {
            if (key.endsWith(".result.json") && !key.matches(".*/phase2/.*/blend\\.result\\.json")) {
                Json.parse(new String(record, StandardCharsets.UTF_8)).findValues("validation").stream()
                        .filter(value -> value.hasNonNull("predictions"))
                        .forEach(value -> found.put(predictions(value), value));
            }
        });
        return List.copyOf(found.values());
    }

    /// The predictions of a script that makes no error, on each fold.
    private List<String> truth() {
        double best = context.task().metricDirection() == MetricDirection.MINIMIZE ? 0 : 1;
        List<String> tables = new ArrayList<>();
        for (int fold = 0; fold < 2; fold++) {
            Validation validation =
                    scored(StepPath.parse("r/truth"), script(0), fold).evaluation().score().validation();
            assertThat(List.of(validation.search(), validation.select()))
                    .allSatisfy(score -> assertThat(score).isCloseTo(best, within(1e-9)));
            tables.add(text(validation.predictions()));
            assertThat(longestRun(tables.getLast())).as("rows of one label in a row").isLessThan(40);
        }
        return tables;
    }

    private static String predictions(JsonNode validation) {
        return validation.path("predictions").asText();
    }

    /// The weight of each member of the blend, by its predictions.
    private Map<String, Map<String, Integer>> blend(JsonNode result) {
        JsonNode blend = Json.parse(text("runs/r/steps/phase3/blend.result.json")).path("value");
        JsonNode from = StreamSupport.stream(result.path("phase3").path("decisions").spliterator(), false)
                .filter(decision -> decision.path("step").asText().equals("phase3/blend")).findFirst().orElseThrow()
                .path("from");
        Map<String, Integer> members = new TreeMap<>();
        from.forEach(member -> members.put(predictions(
                Json.parse(text("runs/r/steps/" + member.path("step").asText() + "/evaluation/combination.result.json"))
                        .path("value").path("validation")),
                member.path("weight").asInt()));
        return Map.of(predictions(blend.path("validation")), members);
    }

    private JsonNode scores(int keys, List<String> truth, @Nullable String labels, Map<String, String> predictions,
            Map<String, Map<String, Integer>> blend)
            throws IOException, InterruptedException {
        ObjectNode question =
                Json.object().put("metric", context.task().evaluationMetric()).put("keys", keys).put("labels", labels);
        question.set("asked", form.path("submission").path("columns"));
        question.set("truth", Json.tree(truth));
        question.set("predictions", Json.tree(predictions));
        question.set("blend", Json.tree(blend));
        return python(FOLDER.resolve("scores.py"), Json.line(question).getBytes(StandardCharsets.UTF_8));
    }
}
