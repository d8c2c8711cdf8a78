package io.mlestar.core.agent;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionPhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the requirements want every prompt to say, after the figures of the paper.
class PromptTextsTest {
    private static final String SCORE_LINE = "`Final Validation Performance: {final_validation_score}`";
    private static final String SUBSAMPLE =
            "If there are more than 30000 training samples, you must subsample to 30000";
    private static final String TRAINING_DATA_ONLY =
            "Use only the training data in `./input`. Do not load the test data";
    private static final String NO_MASKING = "Do not use `try`/`except` or `if`/`else` to hide unintended behaviour.";
    private static final String PROGRAM = "self-contained, single-file program";
    private static final String NOTHING_ELSE = "no additional headings or text";
    private static final String AS_A_BLOCK = "single markdown code block";
    private static final Map<Agent<?>, List<String>> SAID = Map.ofEntries(
            entry(Given.RETRIEVER, List.of(Given.TASK, "list 4 recent, effective models", "each with example code",
                    "The code is mandatory", "A link to a GitHub repository or to a paper is not enough",
                    "{\"models\": [{\"model_name\": str, \"example_code\": str}]}")),
            entry(Given.INIT, List.of(Given.TASK, "Name: LightGBM", Given.CODE, PROGRAM, NOTHING_ELSE,
                    "No ensembling and no hyper-parameter optimisation yet.", "balanced accuracy, to be maximized",
                    "There is nothing to unzip.", "Use PyTorch rather than TensorFlow.",
                    "Compute that metric on a hold-out validation set and print it.", "Do not use `exit()`",
                    TRAINING_DATA_ONLY + "; it is not needed yet. " + SUBSAMPLE, SCORE_LINE, NO_MASKING)),
            entry(Given.MERGER, List.of("base = 1", "reference = 2", PROGRAM, NOTHING_ELSE,
                    "integrates the reference solution into the base solution", "start from it and extend it.",
                    "Train the model of the reference solution as an additional model",
                    "all preprocessing first, then all training.", "Ensemble the models. Keep the design simple",
                    TRAINING_DATA_ONLY + "; it is not needed yet. " + SUBSAMPLE, SCORE_LINE, NO_MASKING)),
            entry(Given.ABLATION, List.of(Given.CODE, "## 1.\nScaling matters.", "## 2.\nDropout does not.",
                    "create variations by modifying or disabling parts (2-3 parts)",
                    "concentrate on the other parts that have not been previously considered.",
                    "should not load test data", "validation set only",
                    "its name and its performance on the validation set",
                    "which part contributes the most to the overall performance.", NOTHING_ELSE, "stopped after "
                            + Given.context(MetricDirection.MAXIMIZE).config().ablationTimeoutSeconds()
                            + " seconds")),
            entry(Given.SUMMARIZE, List.of("print('ablation')", "Baseline: 0.8196, No OneHotEncoder: 0.7886",
                    "Summarize the result of the ablation study", "most impact", "least")),
            entry(Given.EXTRACTOR, List.of(Given.CODE, "Encoding matters most.", "## 1.\n```python\n    a = 1\n```",
                    "3-5 sentences", "avoid plans that make the solution run too long", "not been considered before",
                    "should be exactly extracted from the Python script provided above.", "{\"plans\": [")),
            entry(Given.CODER, List.of("```python\n    " + Given.CODE, "Use target encoding.",
                    "Implement the improvement plan on the code block", "Do not remove subsampling if exists.",
                    SUBSAMPLE, "therefore do not introduce dummy variables.", AS_A_BLOCK, NOTHING_ELSE)),
            entry(Given.PLANNER, List.of(Given.CODE, """
                    # Improvement plans you have tried

                    ## Plan: plan A
                    ## Score: 0.82

                    ## Plan: plan B
                    ## Score: N/A (evaluation failed)
                    """, "differ from the previous plans you have tried", "should receive a higher score",
                    "hyperparameters in a very large search space", "(3-5 sentences)", NOTHING_ELSE)),
            entry(Given.ENS_PLANNER, List.of("You have 3 Python Solutions",
                    "# 1st Python Solution\nValidation score: 0.7\n```python\ns = 1\n```",
                    "# 2nd Python Solution\n```python\ns = 2\n```", "# 3rd Python Solution\nValidation score: 0.8\n",
                    "# Ensemble plans you have tried\n\n## Plan: average\n## Score: 0.9\n",
                    "concentrate how to merge", "differ from the previous plans you have tried",
                    "should receive a higher score", "should not modify the original solutions too much",
                    "natural language")),
            entry(Given.ENSEMBLER, List.of("# 1st Python Solution", "# 2nd Python Solution", Given.CODE,
                    "Average the probabilities.", "Implement the ensemble plan with the 2 provided solutions",
                    "Do not modify the original Python Solutions too much", "Do not load previous submissions",
                    "Do not subsample or introduce dummy variables.", "full new Python Solution", AS_A_BLOCK,
                    "Do not forget the `./final/submission.csv` file.", SCORE_LINE)),
            entry(Given.DEBUGGER, List.of(Given.CODE, "The script crashed: KeyError: 'a'\n",
                    "revise the code to fix the error", "Do not remove subsampling if exists.", SUBSAMPLE,
                    "whole improved script", SCORE_LINE, "Do not use `exit()`",
                    "Add nothing new: no features, models or data steps")),
            entry(Given.LEAKAGE, List.of(Given.CODE, "Extract the block",
                    "preprocesses the validation and test samples by means of the training samples",
                    "trained with training samples only", "an exact part of the code", "`Yes Data Leakage`",
                    "`No Data Leakage`", "{\"answers\": [", "nor is a list of category names")),
            entry(Given.LEAKAGE_CORRECTION, List.of(Given.CODE, "scaler.fit(df)", "It scales by all rows.",
                    "trained with training samples only", "Refine the code to prevent this data leakage",
                    "takes the place of exactly this block", AS_A_BLOCK, "not the whole script",
                    "all the variables are defined earlier.")),
            entry(Given.DATA, List.of(Given.CODE, Given.TASK, "incorporate all of it",
                    "DO NOT USE TRY AND EXCEPT; just occur error so we can debug it!", SCORE_LINE, AS_A_BLOCK,
                    "`All the provided information is used.`")),
            entry(Given.TEST, List.of(Given.TASK, Given.CODE, PROGRAM, "only loads the test samples in addition",
                    "`submission.csv` in the `./final` directory", "Do not drop any test sample",
                    "train on the full training set", "Change the solution as little as possible",
                    "`sys.exit()`, `os._exit()` or `quit()`", "hide unintended behaviour")),
            entry(Given.SUBSAMPLING_EXTRACT, List.of(Given.CODE, "training samples are subsampled",
                    "exactly as it stands in the script", AS_A_BLOCK)),
            entry(Given.SUBSAMPLING_REMOVE, List.of("df = df.sample(30000)",
                    "Remove the subsampling, so that all training samples are used",
                    "Do not introduce dummy variables", AS_A_BLOCK)),
            entry(Given.CONTAMINATION_CHECK, List.of("I used {LightGBM}.", Given.CODE,
                    "merely copies a discussion", "`Novel`", "`Same`", "nothing but one of the two words")));

    @Test
    @Requirement({"REQ-P1-002", "REQ-P1-009", "REQ-P1-014", "REQ-P1-043", "REQ-P1-044", "REQ-P1-045", "REQ-P2O-002",
        "REQ-P2O-005", "REQ-P2O-006", "REQ-P2O-007", "REQ-P2O-009", "REQ-P2O-013", "REQ-P2O-042", "REQ-P2I-002",
        "REQ-P2I-006", "REQ-P2I-007", "REQ-P2I-009", "REQ-P2I-010", "REQ-P2I-014", "REQ-P2I-015", "REQ-P3-002",
        "REQ-P3-003", "REQ-P3-005", "REQ-P3-007", "REQ-P3-008", "REQ-P3-011", "REQ-P3-014", "REQ-P3-015",
        "REQ-P3-046", "REQ-P3-047", "REQ-P3-048", "REQ-P3-049", "REQ-SF-002", "REQ-SF-009", "REQ-SF-012",
        "REQ-SF-017", "REQ-SF-025", "REQ-SF-029", "REQ-SF-044", "REQ-SF-045", "REQ-SF-046", "REQ-FN-001",
        "REQ-FN-004", "REQ-FN-011", "REQ-FN-014", "REQ-FN-015", "REQ-FN-016", "REQ-FN-017", "REQ-FN-018",
        "REQ-FN-027", "REQ-FN-047", "REQ-EX-017", "REQ-EX-018", "REQ-EX-020"})
    void everyPromptSaysWhatItsFigureSays() {
        assertThat(SAID).allSatisfy((agent, phrases) -> assertThat(Given.prompt(agent)).contains(phrases));
    }

    @Test
    void whoPlansIsToldWhichScoreIsBetter() {
        assertThat(List.of(Given.PLANNER, Given.ENS_PLANNER)).allSatisfy(agent -> assertThat(
                Given.PROMPTS.render(agent, Given.context(MetricDirection.MINIMIZE), Abilities.NONE).text())
                .contains("a lower score"));
    }

    @Test
    @Requirement("REQ-P3-004")
    void whatThereIsNotHasNoSection() {
        assertThat(Given.prompt(new EnsPlanner(List.of("a", "b"), null, List.of(), List.of(), null)))
                .doesNotContain("Ensemble plans you have tried", "Plan:", "Score:");
        assertThat(Given.prompt(new Ablation("x", List.of(), null))).doesNotContain("# Previous ablation studies");
        String reminder = "was not found in the solution. Please extract the code block exactly as it appears";
        assertThat(Given.prompt(Given.EXTRACTOR)).doesNotContain(reminder);
        assertThat(Given.prompt(new Extractor("x = 1", null, List.of(), true, null))).contains(reminder)
                .contains("The ablation study failed for this step.").doesNotContain("# Code blocks improved already");
    }

    @Test
    void allScriptsHoldOutTheSameRows() {
        assertThat(Prompts.system(Given.context(MetricDirection.MAXIMIZE)))
                .contains("20 % of the training data with seed 42", "stratified", "groups", "latest rows");
    }

    @Test
    @Requirement("REQ-EX-018")
    void onlyWhatIsNotLastIsSubsampled() {
        assertThat(List.of(new Debugger("x", "Traceback", Kind.SUBMISSION, null, null),
                new Debugger("x", "Traceback", Kind.SOLUTION, SolutionPhase.ENSEMBLE, null))).map(Given::prompt)
                .allMatch(prompt -> prompt.contains("Do not subsample any further.")
                        && !prompt.contains("you must subsample"));
        assertThat(Given.prompt(new Debugger("x", "Traceback", null, null, null))).contains(SUBSAMPLE);
        assertThat(Given.prompt(Given.ENSEMBLER)).doesNotContain("you must subsample");
    }
}
