package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.core.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program with its runs and its data in a bucket.
class S3IT {
    @AutoClose
    private static final S3Server SERVER = S3Server.start();

    @TempDir
    private Path folder;

    private Program program;
    private String store;

    @BeforeEach
    void prepare() {
        program = new Program(folder);
        SERVER.environment().forEach(program::with);
        program.with("MLE_STAR_CACHE", folder.resolve("cache").toString());
        store = SERVER.freshAddress();
    }

    @Test
    void aRunLivesInABucketWithItsData() throws Exception {
        String bucket = SERVER.freshAddress();
        Program.Ended pushed = program.run("data", "push", Program.MINI.resolve("input").toString(), bucket);
        assertThat(pushed.exitCode()).as(pushed.err()).isZero();
        assertThat(pushed.out()).startsWith("data_dir: " + bucket + "#");
        Path task = Files.writeString(folder.resolve("task.yaml"),
                Files.readString(Program.MINI.resolve("task.yaml")).replaceAll("(?m)^data_dir:.*\\R", "") + "\n"
                        + pushed.out());

        Program.Ended ended =
                program.run("run", "--task", task.toString(), "--model", "recorded:" + Program.MINI + "/answers",
                        "--run-id", "mini", "--store", store, "--set", "outer_loop_steps=1");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("submission " + store + "/runs/mini/submission.csv");
        assertThat(folder.resolve("s3:")).doesNotExist();
        assertThat(folder.resolve("cache")).isNotEmptyDirectory();

        Program.Ended status = program.run("status", "mini", "--json", "--store", store);
        assertThat(status.exitCode()).isZero();
        assertThat(status.err()).isEmpty();
        assertThat(Json.parse(status.out()).path("run_id").asText()).isEqualTo("mini");
    }

    @Test
    void aBucketOutOfReachIsNamedInOneLine() throws Exception {
        program.with("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1");
        Program.Ended status = program.run("status", "mini", "--store", store);
        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.err().strip().lines()).hasSize(1).first().asString().startsWith("mlestar: cannot read s3://");
    }
}
