package io.mlestar.core.task;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.PromptTemplate;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.LeakageAnswer.LeakageStatus;
import io.mlestar.core.task.Answers.LeakageAnswer;
import io.mlestar.core.task.Answers.RefinePlan;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Answers.RetrieverOutput;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The JSON of all types of the task: words of enums, fields, and what is refused.
class WordsTest {
    private static final String SCRIPT = "x = [value * 2 for value in range(100)]  # 50 KB of these\n".repeat(870);
    private static final int MANY = 100;
    private static final RetrievedModel MODEL = new RetrievedModel("LightGBM", "import lightgbm");
    private static final RefinePlan PLAN = new RefinePlan("    x = 1", "Scale x. Then clip it. Keep the rest.");
    private static final LeakageAnswer LEAK =
            new LeakageAnswer(LeakageStatus.YES, "It scales by all rows.", "scaler.fit(all)");
    private static final SolutionScript SOLUTION = Examples.script("x = 1").scored(Score.printed(0.5));
    private static final Results.RefinementAttempt ATTEMPT = Results.RefinementAttempt.failed("p", "");
    private static final Decision DECISION =
            new Decision("phase1/merge1", Score.printed(0.5), List.of(new Decision.Source("phase1/candidate0", 1)),
                    new Decision.Rival("phase1/candidate0", Score.printed(0.6)), false);
    private static final EvaluationResult EVALUATION =
            new EvaluationResult(Score.NONE, "out", "err", 1, 2.5, true, "Traceback");
    private static final Results.Phase1Result PHASE1 = new Results.Phase1Result(List.of(new RetrievedModel("m", "c")),
            List.of(SOLUTION, SOLUTION.failed()), Arrays.asList(0.5, null), SOLUTION, 0.5, 1,
            "merge 2 of 2 has no score",
            List.of(new Results.Leak("fit(all)", "It fits on all rows.", Results.Leak.NOT_FOUND)),
            List.of(DECISION), null);
    private static final Results.Phase2Result PHASE2 =
            new Results.Phase2Result(List.of("", "s"), List.of(new CodeBlock("", null, 0)),
                    SOLUTION, 0.5,
                    List.of(new Results.StepRecord(0, "", "c", "p", List.of(ATTEMPT), 0.5, false, false, false,
                            List.of(DECISION))));
    private static final Results.Phase3Result PHASE3 =
            new Results.Phase3Result(List.of(SOLUTION, SOLUTION), List.of("e"), Arrays.asList((Double) null),
                    SOLUTION, null, List.of(new Results.EnsembleAttempt("e", Examples.script(""), "it crashed", null)),
                    List.of(DECISION));
    private static final List<Record> RESULTS = List.of(EVALUATION,
            new CodeBlock("x", CodeBlockCategory.TRAINING, 3), PHASE1, PHASE2, PHASE2.stepHistory().getFirst(), PHASE3,
            ATTEMPT, new Results.EnsembleAttempt("e", SOLUTION, null, null),
            finalResult(Map.of("phase1", new Results.PhaseSummary(0.1, 3.0))));

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/words.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-DM-004", "REQ-DM-005", "REQ-DM-006", "REQ-DM-008", "REQ-DM-011", "REQ-DM-013"})
    void everyEnumHasExactlyTheWordsOfTheRequirements(String name, String all) throws ClassNotFoundException {
        Class<?> type = Class.forName("io.mlestar.core.task." + name);
        List<String> words = List.of(all.split(", "));
        assertThat(type.getEnumConstants()).extracting(constant -> Json.tree(constant).asText())
                .containsExactlyElementsOf(words);
        assertThat(words).extracting(word -> (Object) Json.read(TextNode.valueOf(word), type))
                .containsExactly(type.getEnumConstants());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/words.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-DM-018", "REQ-DM-020"})
    void numbersAndOtherWordsAreRefused(String name, String all) throws ClassNotFoundException {
        Class<?> type = Class.forName("io.mlestar.core.task." + name);
        List<String> words = List.of(all.split(", "));
        List<JsonNode> wrong = List.of(IntNode.valueOf(0), TextNode.valueOf("0"), TextNode.valueOf(""),
                TextNode.valueOf(words.getFirst() + "x"),
                TextNode.valueOf(type.getEnumConstants()[0].toString() + " "));

        assertThat(wrong)
                .allSatisfy(json -> assertThatThrownBy(() -> Json.read(json, type)).isInstanceOf(Invalid.class));
    }

    @Test
    @Requirement("REQ-DM-044")
    void aConfigurationAndWhatHoldsScriptsAreMadeInAMillisecond() throws Exception {
        Duration many = CpuTime.ofThread(() -> {
            for (int i = 0; i < MANY; i++) {
                SolutionScript script = SolutionScript.unscored(SCRIPT, SolutionPhase.INIT).scored(Score.printed(0.5));
                assertThat(List.of(PipelineConfig.defaults(), new Results.Phase2Result(List.of(SCRIPT),
                        List.of(new CodeBlock(SCRIPT, null, 0)), script, 0.5, List.of()))).hasSize(2);
            }
        });
        assertThat(many.dividedBy(MANY)).isLessThan(Duration.ofMillis(1));
    }

    @Test
    @Requirement({"REQ-DM-045", "REQ-DM-046"})
    void everyTypeIsPublicInOneRoomAndWhatDescribesAgentsBesideTheAgents() {
        List<Class<?>> ofTheTask = List.of(TaskType.class, DataModality.class, MetricDirection.class,
                SolutionPhase.class, AgentType.class, TaskDescription.class, PipelineConfig.class,
                SolutionScript.class, Answers.class, Results.class, Results.FinalResult.class);
        List<Class<?>> ofTheAgents = List.of(AgentConfig.class, PromptTemplate.class, Prompts.class);
        assertThat(ofTheTask).extracting(Class::getPackageName).containsOnly("io.mlestar.core.task");
        assertThat(ofTheAgents).extracting(Class::getPackageName).containsOnly("io.mlestar.core.agent");
        assertThat(List.of(ofTheTask, ofTheAgents)).flatMap(types -> types)
                .allMatch(type -> Modifier.isPublic(type.getModifiers()));
    }

    private static TaskDescription read(JsonNode json) {
        return Json.readStrictly(json, TaskDescription.class);
    }

    @Test
    @Requirement("REQ-DM-007")
    void theFoldersHaveDefaults() {
        TaskDescription task = read(Examples.task());

        assertThat(task.competitionId()).isEqualTo("spaceship-titanic");
        assertThat(task.taskType()).isEqualTo(TaskType.CLASSIFICATION);
        assertThat(task.dataModality()).isEqualTo(DataModality.TABULAR);
        assertThat(task.metricDirection()).isEqualTo(MetricDirection.MAXIMIZE);
        assertThat(task.dataDir()).isEqualTo("./input");
        assertThat(task.outputDir()).isEqualTo("./final");
    }

    @ParameterizedTest
    @ValueSource(strings = {"competition_id", "task_type", "data_modality", "evaluation_metric", "metric_direction",
        "description"})
    @Requirement({"REQ-DM-007", "REQ-OR-002"})
    void aMissingFieldIsNamed(String field) {
        refusal(() -> read(Examples.task().without(field))).startsWith(field + " is required");
        refusal(() -> read(Examples.task().putNull(field))).startsWith(field + " is required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"competition_id", "evaluation_metric", "description", "data_dir", "output_dir"})
    @Requirement({"REQ-DM-007", "REQ-OR-002"})
    void blankTextIsNoText(String field) {
        refusal(() -> read(Examples.task().put(field, " \n\t"))).contains(field);
    }

    @ParameterizedTest
    @CsvSource({"competition_id, 200", "evaluation_metric, 200", "description, 262144", "data_dir, 4096",
        "output_dir, 4096"})
    void aTextOfAnySizeIsNotCopiedIntoEveryRecord(String field, int most) {
        assertThat(Json.tree(read(Examples.task().put(field, "x".repeat(most)))).path(field).asText()).hasSize(most);
        for (int length : new int[] {most + 1, 5_000_000}) {
            refusal(() -> read(Examples.task().put(field, "x".repeat(length))))
                    .isEqualTo(field + " must have at most " + most + " characters, but has " + length);
        }
    }

    @ParameterizedTest
    @CsvSource({"task_type, Classification, classification", "task_type, '', classification",
        "data_modality, video, tabular",
        "metric_direction, MAXIMIZE, 'maximize, minimize'", "metric_direction, 0, 'maximize, minimize'",
        "metric_direction, up, 'maximize, minimize'"})
    @Requirement({"REQ-DM-004", "REQ-DM-005", "REQ-DM-006"})
    void anUnknownWordIsRefusedWithTheWordsThatAreKnown(String field, String word, String known) {
        refusal(() -> read(Examples.task().put(field, word))).startsWith(field + " must be one of [" + known)
                .contains(", but is \"" + word + "\"");
    }

    @Test
    void anUnknownFieldIsRefusedWithTheFieldsThatAreKnown() {
        assertThatThrownBy(() -> read(Examples.task().put("metric_directoin", "auc")))
                .hasMessage("unknown field metric_directoin; did you mean metric_direction?");
        refusal(() -> read(Examples.task().put("colour", "auc")))
                .isEqualTo("unknown field colour; known are competition_id, data_dir, data_modality, description, "
                        + "evaluation_metric, metric_direction, output_dir, task_type");
    }

    static Stream<Arguments> examples() {
        return Stream.of(
                Arguments.of(new RetrieverOutput(List.of(MODEL)),
                        """
                                {"models":[{"model_name":"LightGBM","example_code":"import lightgbm"}]}"""),
                Arguments.of(new ExtractorOutput(List.of(PLAN)),
                        """
                                {"plans":[{"code_block":"    x = 1","plan":"Scale x. Then clip it. Keep the rest."}]}"""),
                Arguments.of(new Answers.LeakageDetectionOutput(List.of(LEAK)),
                        """
                                {"answers":[{"leakage_status":"Yes Data Leakage","reason":"It scales by all rows.","code_block":"scaler.fit(all)"}]}"""),
                Arguments.of(new LeakageAnswer(LeakageStatus.NO, "", ""),
                        """
                                {"leakage_status":"No Data Leakage","reason":"","code_block":""}"""),
                Arguments.of(new Answers.DataContaminationResult(ContaminationVerdict.SAME), "{\"verdict\":\"Same\"}"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    @Requirement({"REQ-DM-014", "REQ-DM-015", "REQ-DM-016", "REQ-DM-017", "REQ-DM-018", "REQ-DM-019", "REQ-DM-020"})
    void haveTheFieldNamesOfTheRequirements(Record answer, String json) {
        assertThat(Json.tree(answer)).hasToString(json);
        assertThat(Json.read(Json.parse(json), answer.getClass())).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/broken-answers.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement({"REQ-DM-014", "REQ-DM-015", "REQ-DM-016", "REQ-DM-017", "REQ-DM-018", "REQ-DM-019", "REQ-DM-020"})
    void refuseWhatIsMissingOrEmpty(String type, String json, String message) throws ClassNotFoundException {
        Class<?> answer = Class.forName(Answers.class.getName() + "$" + type);
        refusal(() -> Json.read(Json.parse(json), answer)).contains(message);
    }

    private static Results.FinalResult finalResult(Map<String, Results.PhaseSummary> phases) {
        return new Results.FinalResult("run", Json.read(Examples.task(), TaskDescription.class),
                PipelineConfig.defaults(),
                PHASE1,
                List.of(PHASE2), 0, null, SOLUTION, SOLUTION, 0.5, "", 12.5, null, List.of("phase1"), null, phases,
                List.of("init"), null,
                "skipped: there are no reference discussions", null, "no script wrote one", null, 0.5,
                new Results.BetterScript("phase2-path1", 0.6),
                List.of(new Results.Gain("phase1/candidate0", 0.5, 0.01, null, null)),
                Instant.parse("2026-01-02T03:04:05.678Z"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/fields.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-DM-012", "REQ-DM-021", "REQ-DM-022", "REQ-DM-023", "REQ-DM-024", "REQ-DM-025", "REQ-DM-042",
        "REQ-DM-043", "REQ-P2O-030"})
    void haveTheFieldNamesOfTheRequirementsAndSurviveARoundTrip(String type, String fields) {
        Record result = RESULTS.stream().filter(one -> one.getClass().getSimpleName().equals(type)).findFirst()
                .orElseThrow();

        assertThat(Json.tree(result).fieldNames()).toIterable().containsExactly(fields.split(", "));
        assertThat(Json.read(Json.parse(Json.text(result)), result.getClass())).isEqualTo(result);
    }

    @Test
    @Requirement("REQ-DM-012")
    void aCodeBlockNeedsItsContentOnly() {
        assertThat(Json.read(Json.parse("{\"content\": \"\"}"), CodeBlock.class))
                .isEqualTo(new CodeBlock("", null, null));
        refusal(() -> Json.read(Json.parse("{\"outer_step\": 1}"), CodeBlock.class)).contains("content");
    }
}
