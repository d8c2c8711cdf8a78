package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that look at a run that has ended.
class InspectIT {
    @TempDir
    private Path folder;

    private Path task(String data) throws IOException {
        String mini = Files.readString(Program.MINI.resolve("task.yaml")).replace("AUC", "accuracy");
        return Files.writeString(folder.resolve("task.yaml"), mini + "data_dir: ./" + data + "\n");
    }

    @Test
    void aRunIsListedComparedGradedAndReported() throws Exception {
        Program program = new Program(folder);
        Path task = task("input");
        Files.createDirectory(folder.resolve("input"));
        Files.writeString(folder.resolve("input/train.csv"), "id,y\n1,0\n");
        Program.Ended run = program.run("run", "--task", task.toString(), "--model",
                "recorded:" + Program.MINI + "/answers", "--run-id", "one",
                "--set", "outer_loop_steps=1");
        assertThat(run.exitCode()).as(run.err()).isZero();

        assertThat(program.run("runs").out().lines()).hasSize(2).last().asString().startsWith("one ")
                .contains("completed");

        assertThat(program.run("diff", "one", "phase1/candidate0/evaluation/script",
                "phase2-path0/block0/attempt0/evaluation/script").out()).contains("-BLOCK = 1", "+BLOCK = 2");

        Path labels = Files.writeString(folder.resolve("labels.csv"), "id,y\n1,0\n");
        Program.Ended graded = program.run("grade", "--run", "one", "--labels", labels.toString());
        assertThat(graded.err()).isEmpty();
        assertThat(graded.out()).contains("accuracy: 1.000000 (1 hidden labels)");
        assertThat(program.run("grade", "--run", "one", "--labels", labels.toString()).exitCode()).as("the same again")
                .isZero();
        Files.writeString(labels, "id,y\n1,1\n");
        assertThat(program.run("grade", "--run", "one", "--labels", labels.toString()).err())
                .contains("another grade already");

        Path report = folder.resolve("report.html");
        assertThat(program.run("report", "one", "--out", report.toString()).err()).isEmpty();
        assertThat(report).content().contains("hidden labels").startsWith("<!doctype html>");
    }

    @Test
    void aSubmissionIsCheckedAndLabelsThatScriptsCouldReadAreRefused() throws Exception {
        Program program = new Program(folder);
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("sample_submission.csv"), "id,y\n1,0.5\n2,0.5\n");
        Path inside = Files.writeString(data.resolve("labels.csv"), "id,y\n1,0\n2,1\n");
        Path task = task("data");
        Path good = Files.writeString(folder.resolve("good.csv"), "id,y\n2,1\n1,0\n");
        Path bad = Files.writeString(folder.resolve("bad.csv"), "id,y\n2,nan\n3,0\n");
        Path outside = Files.copy(inside, folder.resolve("hidden.csv"));

        Program.Ended wrong = program.run("grade", "--task", task.toString(), "--submission", bad.toString());
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err().lines()).hasSize(3);
        assertThat(program.run("grade", "--task", task.toString(), "--submission", good.toString(), "--labels",
                outside.toString()).out())
                .contains("accuracy: 1.000000");
        Program.Ended refused = program.run("grade", "--task", task.toString(), "--submission", good.toString(),
                "--labels", inside.toString());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err().lines()).singleElement().asString().contains("where scripts can read them");
    }
}
