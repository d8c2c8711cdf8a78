package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.phase.WrittenBlend;
import io.mlestar.core.records.Records;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SolutionPackageTest {
    private static final MachineFacts MACHINE =
            new MachineFacts("3.11.7", null, 2, null, 1, null, null, false, List.of(),
                    Map.of("numpy", "2.1.0", "scikit-learn", "1.5.2", "torch", "2.9.0+cpu", "opencv", "4.10.0", "timm",
                            "?"),
                    List.of(),
                    Map.of("threadpoolctl", "3.5.0"), 3, List.of());

    private final Records records =
            DrivenRun.saying(new MemoryStore(), "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}",
                    "say | <b>\n# so ```").untilTheEnd().records();

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
}
