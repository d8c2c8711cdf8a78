package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.phase.WrittenBlend;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.show.report.RunFailures.Failure;
import io.mlestar.show.view.StepView;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The additions to the report: the package of the final script, and advice for each failure.
class SolutionPackageTest {
    private static final MachineFacts MACHINE =
            new MachineFacts("3.11.7", null, 2, null, 1, null, null, false, List.of(),
                    Map.of("numpy", "2.1.0", "scikit-learn", "1.5.2", "torch", "2.9.0+cpu", "opencv", "4.10.0", "timm",
                            "?"),
                    List.of(), Map.of("threadpoolctl", "3.5.0"), 3, List.of());

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Records records =
            DrivenRun.saying(new MemoryStore(), "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}",
                    "say | <b>\n# so ```").untilTheEnd().records();

    private final RunFailures collector = new RunFailures(
            PipelineConfig.resolve(Json.parse("{\"script_timeout_seconds\": 15, \"max_budget_usd\": 3}"), Map.of())
                    .limits());

    private Map<String, String> files(String script) {
        ObjectNode result = (ObjectNode) Json.tree(RunFiles.result(records, "r").orElseThrow());
        result.set("final_solution", Json.tree(SolutionScript.unscored(script, SolutionPhase.FINAL)));
        return SolutionPackage.of(records, records.header("r").orElseThrow(), Json.read(result, FinalResult.class));
    }

    @Test
    void itHoldsTheScriptAsItIsAndAllThatItNeeds() {
        Map<String, String> files = files("print(1)\n");

        assertThat(files).containsEntry("solution.py", "print(1)\n")
                .containsOnlyKeys("solution.py", "requirements.txt", "constraints.txt", "Dockerfile", ".dockerignore",
                        "README.md");
        assertThat(files.get("Dockerfile"))
                .contains("FROM python:3", "-r requirements.txt -c constraints.txt", "USER solution")
                .doesNotContain("members");
        assertThat(files.values()).noneMatch(text -> text.contains("/data"));
    }

    @Test
    void aBlendIsAProgramBesideItsMembers() {
        Map<String, String> files = files(WrittenBlend.of("import numpy\n", "import json\n"));

        assertThat(files).containsEntry("members/1.py", "import numpy\n").containsEntry("members/2.py",
                "import json\n");
        assertThat(files.get("solution.py")).contains("open(\"members/2.py\"", "def submission(")
                .doesNotContain("import numpy");
        assertThat(files.get("Dockerfile")).contains("COPY members members\n");
        assertThat(files.get("README.md")).contains("the 2 scripts in `members`");
    }

    @Test
    void whatATaskSaysIsNoMarkupNoLinkAndNoOrderToATerminal() {
        String words = "<script>alert(1)</script> [here](javascript:x) &lt; \u001b[2J\u202e";
        Records said =
                DrivenRun.saying(new MemoryStore(), "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}", words)
                        .untilTheEnd().records();
        Map<String, String> files =
                SolutionPackage.of(said, said.header("r").orElseThrow(), RunFiles.result(said, "r").orElseThrow());
        String readme = files.get("README.md");
        assertThat(readme).doesNotContain("\u001b", "\u202e");
        assertThat(readme.lines()).noneMatch(line -> line.matches(".*(?<!\\\\)(<script|\\[here|]\\(|&lt;).*"));
        assertThat(readme).startsWith("# \\<script\\>");
    }

    @Test
    void importedLibrariesArePinnedAndTheOthersHoldWhatTheyNeed() {
        PinnedLibraries libraries = PinnedLibraries.of(MACHINE, Stream.of("""
                import os, numpy as np
                from sklearn.linear_model import Ridge
                    import torch.nn as nn
                import cv2
                from timm import create_model
                # import pandas
                """));

        assertThat(libraries.requirements().lines().skip(1)).containsExactly("numpy==2.1.0",
                "opencv-python-headless==4.10.0", "scikit-learn==1.5.2", "timm",
                "torch==2.9.0  # the run had 2.9.0+cpu");
        assertThat(libraries.constraints(3)).contains("threadpoolctl==3.5.0\n", "# 3 more were installed")
                .doesNotContain("timm");
    }

    private static StepView script(String path, String bug, boolean timedOut) {
        Execution ran = Execution.of(new EvaluationResult(Score.NONE, "", "", 1, 1, true, null), timedOut, null, bug);
        return StepView.of(new KnownStep(new StepPath("r", path),
                StepRequest.of(new RunScript("", Kind.SOLUTION, 15), NOW, NOW),
                Optional.of(StepResult.of(new Outcome.Done<>(ran), NOW, NOW, 0.0))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ModuleNotFoundError: No module named 'lightgbm'             | false | Install lightgbm
            TimeoutError: the script was stopped after 15 seconds       | true  | raise script_timeout_seconds
            MemoryError                                                 | false | larger machine
            FileNotFoundError: [Errno 2] No such file: 'input/x.csv'    | false | data_dir
            """)
    void whatAUserCanDoIsSaid(String bug, boolean timedOut, String advice) {
        assertThat(collector.add(script("phase1/candidate0/evaluation/script", "Traceback\n" + bug, timedOut)))
                .isTrue();
        assertThat(collector.list()).singleElement().satisfies(failure -> {
            assertThat(failure.message()).isEqualTo(timedOut ? "timed out after 1.0 s" : bug);
            assertThat(failure.advice()).contains(advice);
        });
    }

    @Test
    void aScriptThatRanIsNoCrashWhateverItsResultLacks() {
        for (String bug : Arrays.asList(null, "SubmissionError: ./final/submission.csv is not as sample.csv")) {
            Execution ran = Execution.of(new EvaluationResult(Score.NONE, "done", "", 0, 1, bug != null, null), false,
                    null, bug);
            collector.add(StepView.of(new KnownStep(new StepPath("r", "phase1/candidate0/evaluation/script"),
                    StepRequest.of(new RunScript("", Kind.SOLUTION, 15), NOW, NOW),
                    Optional.of(StepResult.of(new Outcome.Done<>(ran), NOW, NOW, 0.0)))));
        }
        assertThat(collector.list()).extracting(Failure::kind, Failure::message).containsExactly(
                tuple("script rejected",
                        "ran, but printed no score (the last line must be `Final Validation Performance: <number>`)"),
                tuple("script rejected",
                        "ran, but its submission is not in the right form: ./final/submission.csv is not as sample.csv"));
    }

    @Test
    void failuresThatDifferInNumbersOnlyAreOneAndKindsAreBounded() {
        for (int i = 0; i < 1_000; i++) {
            collector.add(script("phase1/candidate0/evaluation/script-" + (i + 2), "ValueError: row " + i, false));
        }
        for (int i = 0; i < 100; i++) {
            collector.add(script("phase1/candidate0/evaluation/script",
                    "ValueError: " + (char) ('A' + i / 26) + (char) ('A' + i % 26) + "x".repeat(10_000), false));
        }
        assertThat(collector.list()).hasSize(40).first().extracting(Failure::count).isEqualTo(1_000);
        assertThat(collector.list()).allSatisfy(failure -> assertThat(failure.message()).hasSizeLessThan(400));
        assertThat(collector.more()).isEqualTo(61);
    }
}
