package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionPhase;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the requirements want every prompt to say, after the figures of the paper.
class PromptTextsTest {
    private static final String SCORE_LINE = "`Final Validation Performance: {final_validation_score}`";
    private static final String SUBSAMPLE =
            "If there are more than 30000 training samples, you must subsample to 30000";

    private static final String TRAINING_DATA_ONLY =
            "Use only the training data in `./input`. Do not load the test data";
    private static final String NO_MASKING = "Do not use `try`/`except` or `if`/`else` to hide unintended behaviour.";

    private static void says(Agent<?> agent, String... phrases) {
        assertThat(Given.prompt(agent)).contains(phrases);
    }

    private static void asksForOnePlainProgram(Agent<?> agent) {
        says(agent, "single Python code block, with no additional headings or text",
                "self-contained, single-file program",
                "Do not use `exit()`", "`try`/`except`");
    }

    @Test
    @Requirement({"REQ-P1-002", "REQ-P1-043"})
    void retriever() {
        says(Given.RETRIEVER, Given.TASK, "list 4 recent, effective models", "each with example code",
                "must be concise and simple",
                "The code is mandatory", "A link to a GitHub repository or to a paper is not enough",
                "{'model_name': str, 'example_code': str}",
                "{\"models\": [{\"model_name\": str, \"example_code\": str}]}");
    }

    @Test
    @Requirement({"REQ-P1-009", "REQ-P1-044", "REQ-EX-018"})
    void init() {
        asksForOnePlainProgram(Given.INIT);
        says(Given.INIT, "Kaggle grandmaster", Given.TASK, "Name: LightGBM", Given.CODE,
                "Write a complete Python solution of the competition which uses this model.",
                "Use the model given above in earnest; it must make the predictions.",
                "This is a first solution: keep the design simple. No ensembling and no hyper-parameter optimisation yet.",
                "Propose a reasonable evaluation metric", "balanced accuracy, to be maximized",
                "All data is ready in the `./input` directory. There is nothing to unzip.", "unrelated",
                "Use PyTorch rather than TensorFlow. You may use CUDA if you need it.", "installed already",
                "Compute that metric on a hold-out validation set and print it.",
                TRAINING_DATA_ONLY + "; it is not needed yet. " + SUBSAMPLE,
                "It must print the score in a line", SCORE_LINE, NO_MASKING);
    }

    @Test
    @Requirement({"REQ-P1-014", "REQ-P1-045"})
    void merger() {
        asksForOnePlainProgram(Given.MERGER);
        says(Given.MERGER, "Kaggle grandmaster", "base = 1", "reference = 2",
                "integrates the reference solution into the base solution",
                "The base solution is the code base: start from it and extend it.",
                "Train the model of the reference solution as an additional model",
                "Keep similar functionality together: all preprocessing first, then all training.",
                "Ensemble the models. Keep the design simple",
                "share the same hold-out validation set, compute the evaluation metric of the base solution for the ensemble on it, and print it",
                "All data is ready in the `./input` directory. There is nothing to unzip.",
                TRAINING_DATA_ONLY + "; it is not needed yet. " + SUBSAMPLE,
                "It must print the score of the ensemble in a line", SCORE_LINE, NO_MASKING);
        assertThat(Given.prompt(Given.MERGER)).doesNotContain("Predict who was transported");
    }

    @Test
    @Requirement({"REQ-P2O-002", "REQ-P2O-005", "REQ-P2O-006", "REQ-P2O-007", "REQ-P2O-042"})
    void ablation() {
        says(Given.ABLATION, "Kaggle grandmaster", Given.CODE, "## 1.\nScaling matters.", "## 2.\nDropout does not.",
                "create variations by modifying or disabling parts (2-3 parts)",
                "Your ablation study should concentrate on the other parts that have not been previously considered.",
                "should not load test data", "validation set only",
                "For the baseline and for each variation: its name and its performance on the validation set",
                "Finally, a statement which part contributes the most to the overall performance.",
                "Include the print statements described above.",
                "generate a simple Python code that performs an ablation study on the train.py script",
                "no additional headings or text", "self-contained", "neither import that file nor read it");
        assertThat(Given.prompt(new Ablation("x", List.of(), null))).doesNotContain("# Previous ablation studies",
                "## 1.");
    }

    @Test
    @Requirement("REQ-P2O-009")
    void summarize() {
        says(Given.SUMMARIZE, "print('ablation')", "Baseline: 0.8196, No OneHotEncoder: 0.7886",
                "Summarize the result of the ablation study on the basis of the code and the printed output",
                "most impact", "least");
    }

    @Test
    @Requirement("REQ-P2O-013")
    void extractor() {
        says(Given.EXTRACTOR, "Kaggle grandmaster", Given.CODE, "Encoding matters most.",
                "## 1.\n```python\n    a = 1\n```",
                "## 2.\n```python\nb = 2\n```", "3-5 sentences", "avoid plans that make the solution run too long",
                "hyperparameters in a very large search space", "not been considered before",
                "The code block can be long but should be exactly extracted from the Python script provided above.",
                "Refine_Plan = {'code_block': str, 'plan': str}", "list[Refine_Plan]", "{\"plans\": [");
        String reminder =
                "The previously extracted code block was not found in the solution. Please extract the code block exactly as it "
                        + "appears in the script.";
        assertThat(Given.prompt(Given.EXTRACTOR)).doesNotContain(reminder);
        assertThat(Given.prompt(new Extractor("x = 1", "s", List.of(), true, null))).contains(reminder)
                .doesNotContain("# Code blocks improved already", "## 1.");
    }

    @Test
    void extractorAfterAFailedStudy() {
        assertThat(Given.prompt(new Extractor("x = 1", null, List.of(), false, null)))
                .contains("The ablation study failed for this step.");
    }

    @Test
    @Requirement({"REQ-P2I-002", "REQ-P2I-006", "REQ-P2I-007", "REQ-EX-018"})
    void coder() {
        says(Given.CODER, "Kaggle grandmaster", "better performance", "```python\n    " + Given.CODE,
                "Use target encoding.",
                "Implement the improvement plan on the code block", "Do not remove subsampling if exists.", SUBSAMPLE,
                "All variables, the actual data included, are defined earlier",
                "therefore do not introduce dummy variables.",
                "Your response should be a single markdown code block (wrapped in ```) which is the improved code block",
                "no additional headings or text");
    }

    @Test
    @Requirement({"REQ-P2I-009", "REQ-P2I-010", "REQ-P2I-014", "REQ-P2I-015"})
    void planner() {
        says(Given.PLANNER, "Kaggle grandmaster", "better performance", Given.CODE, """
                # Improvement plans you have tried

                ## Plan: plan A
                ## Score: 0.82

                ## Plan: plan B
                ## Score: N/A (evaluation failed)
                """, "The suggested plan must be novel and effective.", "differ from the previous plans you have tried",
                "should receive a higher score", "(e.g., searching hyperparameters in a very large search space)",
                "(3-5 sentences)",
                "no additional headings or text");
        assertThat(Given.PROMPTS.render(Given.PLANNER, Given.context(MetricDirection.MINIMIZE), Abilities.NONE).text())
                .contains("should receive a lower score");
    }

    @Test
    @Requirement({"REQ-P3-002", "REQ-P3-003", "REQ-P3-005", "REQ-P3-007", "REQ-P3-008", "REQ-P3-046"})
    void ensPlanner() {
        says(Given.ENS_PLANNER, "Kaggle grandmaster", "You have 3 Python Solutions",
                "ensemble them for better performance",
                "# 1st Python Solution\nValidation score: 0.7\n```python\ns = 1\n```",
                "# 2nd Python Solution\n```python\ns = 2\n```",
                "# 3rd Python Solution\nValidation score: 0.8\n```python\n" + Given.CODE,
                "# Ensemble plans you have tried\n\n## Plan: average\n## Score: 0.9\n",
                "You should concentrate how to merge, not the other parts like hyperparameters.",
                "easy to implement, novel and effective",
                "differ from the previous plans you have tried", "should receive a higher score",
                "should not modify the original solutions too much, since execution errors can occur",
                "outline or sketch",
                "natural language", "no additional headings or text");
        assertThat(
                Given.PROMPTS.render(Given.ENS_PLANNER, Given.context(MetricDirection.MINIMIZE), Abilities.NONE).text())
                .contains("a lower score");
    }

    @Test
    void theAuthorOfAStudyKnowsItsTimeLimit() {
        assertThat(Given.prompt(Given.ABLATION))
                .contains("stopped after " + Given.context(MetricDirection.MAXIMIZE).config().ablationTimeoutSeconds()
                        + " seconds");
    }

    @Test
    void allScriptsHoldOutTheSameRows() {
        assertThat(Prompts.system(Given.context(MetricDirection.MAXIMIZE)))
                .contains("20 % of the training data with seed 42", "stratified", "groups", "latest rows");
    }

    @Test
    @Requirement("REQ-P3-004")
    void ensPlannerWithoutHistory() {
        assertThat(Given.prompt(new EnsPlanner(List.of("a", "b"), null, List.of(), List.of())))
                .doesNotContain("Ensemble plans you have tried", "Plan:", "Score:");
    }

    @Test
    @Requirement({"REQ-P3-011", "REQ-P3-014", "REQ-P3-015", "REQ-P3-047", "REQ-P3-048", "REQ-P3-049", "REQ-EX-018"})
    void ensembler() {
        says(Given.ENSEMBLER, "Kaggle grandmaster", "You have 2 Python Solutions", "# 1st Python Solution",
                "# 2nd Python Solution", Given.CODE,
                "Average the probabilities.", "Implement the ensemble plan with the 2 provided solutions",
                "Do not modify the original Python Solutions too much, unless the ensemble plan", "`./input`",
                "nothing to unzip",
                "Do not load previous submissions", "hold-out validation set",
                "single markdown code block (wrapped in ```)",
                "no additional headings or text", "Do not subsample or introduce dummy variables.",
                "full new Python Solution",
                "Do not forget the `./final/submission.csv` file.", SCORE_LINE,
                "single-file Python program that is self-contained and can be executed as-is",
                "every import, data loading, training");
        assertThat(Given.prompt(Given.ENSEMBLER)).doesNotContain("you must subsample");
    }

    @Test
    @Requirement({"REQ-SF-002", "REQ-SF-009", "REQ-SF-044", "REQ-EX-018"})
    void debugger() {
        says(Given.DEBUGGER, Given.CODE, "KeyError: 'a'", "The script crashed: KeyError: 'a'\n",
                "nothing crashed: mend how `./final/submission.csv` is written", "revise the code to fix the error",
                "Do not remove subsampling if exists.", SUBSAMPLE,
                "whole improved script", "single self-contained file",
                "single Python code block, with no additional headings or text",
                "`./input`", SCORE_LINE, "Do not use `exit()`", "Add nothing new: no features, models or data steps");
        assertThat(Given.prompt(new Debugger("x", "Traceback", Kind.SUBMISSION, null, null)))
                .contains("Do not subsample any further.")
                .doesNotContain("you must subsample");
        assertThat(Given.prompt(new Debugger("x", "Traceback", Kind.SOLUTION, SolutionPhase.ENSEMBLE, null)))
                .contains("Do not subsample any further.")
                .doesNotContain("you must subsample");
        assertThat(Given.prompt(new Debugger("x", "Traceback", null, null, null))).contains(SUBSAMPLE);
    }

    @Test
    @Requirement("REQ-SF-012")
    void leakageDetection() {
        says(Given.LEAKAGE, Given.CODE, "Extract the block",
                "preprocesses the validation and test samples by means of the training samples",
                "trained with training samples only",
                "not trained on validation samples before the final validation score is printed",
                "no information flows from them into training", "an exact part of the code", "`Yes Data Leakage`",
                "`No Data Leakage`",
                "{'leakage_status': str, 'reason': str, 'code_block': str}", "list[Answer]", "{\"answers\": [",
                "nor is a list of category names, unless it was made from the target",
                "rows that belong together (same day, patient, group), where the test set has other ones",
                "Empty if there is no leakage");
        assertThat(Given.prompt(Given.LEAKAGE)).doesNotContain("in either case");
    }

    @Test
    @Requirement({"REQ-SF-017", "REQ-SF-045"})
    void leakageCorrection() {
        says(Given.LEAKAGE_CORRECTION, Given.CODE, "validation and test samples influence training",
                "not preprocessed correctly",
                "trained with training samples only",
                "not be trained on validation samples before the final validation score is printed",
                "Refine the code to prevent this data leakage", "scaler.fit(df)", "It scales by all rows.",
                "takes the place of exactly this block",
                "single markdown code block", "not the whole script",
                "Note that all the variables are defined earlier. Just modify it with the above code.");
    }

    @Test
    @Requirement({"REQ-SF-025", "REQ-SF-029", "REQ-SF-046"})
    void data() {
        says(Given.DATA, Given.CODE, Given.TASK, "use all the information that is provided for training",
                "incorporate all of it",
                "Do not bypass this by means of try-except",
                "DO NOT USE TRY AND EXCEPT; just occur error so we can debug it!",
                "how to extract the unused information", SCORE_LINE,
                "single markdown code block (wrapped in ```) with the improved code",
                "no other text", "`All the provided information is used.`");
    }

    @Test
    @Requirement({"REQ-FN-011", "REQ-FN-014", "REQ-FN-015", "REQ-FN-016", "REQ-FN-017", "REQ-FN-018", "REQ-FN-047"})
    void test() {
        asksForOnePlainProgram(Given.TEST);
        says(Given.TEST, "Kaggle grandmaster", Given.TASK, Given.CODE, "only loads the test samples in addition",
                "`./input`",
                "nothing to unzip", "`submission.csv` in the `./final` directory", "Do not drop any test sample",
                "Predict the target for all",
                "put the test samples where the validation samples stand", "train on the full training set",
                "Change the solution as little as possible", "Do not forget the `./final/submission.csv` file.",
                "`sys.exit()`, `os._exit()` or `quit()`", "hide unintended behaviour");
    }

    @Test
    @Requirement({"REQ-FN-001", "REQ-EX-020"})
    void subsamplingExtract() {
        says(Given.SUBSAMPLING_EXTRACT, Given.CODE, "Extract the block", "training samples are subsampled",
                "exactly as it stands in the script", "single markdown code block");
    }

    @Test
    @Requirement("REQ-FN-004")
    void subsamplingRemove() {
        says(Given.SUBSAMPLING_REMOVE, "df = df.sample(30000)",
                "Remove the subsampling, so that all training samples are used",
                "defined earlier in the script", "Do not introduce dummy variables", "single markdown code block");
    }

    @Test
    @Requirement("REQ-FN-027")
    void contaminationCheck() {
        says(Given.CONTAMINATION_CHECK, "I used {LightGBM}.", Given.CODE, "merely copies a discussion", "`Novel`",
                "sufficiently novel and different", "`Same`", "too similar", "nothing but one of the two words");
    }
}
