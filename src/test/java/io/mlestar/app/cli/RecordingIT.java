package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run that keeps to its recording, and one that leaves it.
class RecordingIT {
    private static final String[] SHORT = {"--set", "num_retrieved_models=2", "--set", "outer_loop_steps=1", "--set",
        "inner_loop_steps=1", "--set", "num_parallel_solutions=1"};
    private static final String NOT_EARNED = "this submission replays an answer recorded for another script";

    @TempDir
    private Path folder;

    private Program program;
    private Path recorded;

    @BeforeEach
    void record() throws Exception {
        program = new Program(folder);
        recorded = folder.resolve("recorded");
        Files.writeString(folder.resolve("task.yaml"),
                Files.readString(Program.MINI.resolve("task.yaml")).replaceFirst("evaluation_metric: .*",
                        "evaluation_metric: accuracy")
                        + "data_dir: " + Program.MINI.resolve("input") + "\n");
        assertThat(ran("first", Program.ANSWERS, "--record", recorded.toString())).doesNotContain("recorded  ");
    }

    private String ran(String run, String model, String... more) throws Exception {
        List<String> words = List.of("run", "--task", "task.yaml", "--model", model, "--run-id", run);
        Program.Ended ended = program.run(Program.with(List.of(Program.with(words, SHORT)), more));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return ended.out();
    }

    private String replayed(String run) throws Exception {
        return ran(run, "recorded:" + recorded);
    }

    private Typed grade(String run) {
        return Typed.in(program.store(), "grade", "--run", run, "--labels",
                program.store().resolve("runs/first/submission.csv").toString());
    }

    @Test
    void theSameRunEarnsItsScoreAndAnAnswerThatWritesTheSubmissionOfAnotherScriptNone() throws Exception {
        assertThat(replayed("again")).doesNotContain("recorded  ");
        assertThat(grade("again").wellEnded()).contains("hidden labels)").doesNotContain("does not count");
        assertThat(program.store().resolve("runs/again/grade.json")).exists();
        Path writtenFor = recorded.resolve("written-for.yaml");
        Files.writeString(writtenFor, Files.readString(writtenFor).replaceFirst("(?m)^finalization/test: .*$",
                "finalization/test: \"other\""));
        assertThat(replayed("astray")).contains("recorded   " + NOT_EARNED);
        Typed graded = grade("astray");
        assertThat(graded.wellEnded()).contains("hidden labels)", "does not count");
        assertThat(graded.err()).contains(NOT_EARNED).hasLineCount(1);
        assertThat(program.store().resolve("runs/astray/grade.json")).doesNotExist();
        Path report = folder.resolve("report.html");
        Typed.in(program.store(), "report", "astray", "--out", report.toString()).wellEnded();
        assertThat(report).content().contains("Recorded answers: " + NOT_EARNED);
    }
}
