package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.app.web.Served;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program as a server: killed, started again, and told to stop.
class ServeIT {
    @TempDir
    private Path folder;

    private Served server;

    @AfterEach
    void kill() throws InterruptedException {
        server.kill();
    }

    private void start() throws Exception {
        server = Served.start(folder);
    }

    private Records records() {
        return new Records(server.store());
    }

    @Test
    void aRunThatWasOpenWhenTheServerWasKilledIsTakenUpByTheNextOne() throws Exception {
        start();
        HttpResponse<String> answer = server.request(Program.request("open"));
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("x-mlestar-run")).contains("open");
        Waiting.until("the run has begun", () -> records().result(StepPath.parse("open/phase1/retriever")).isPresent());
        kill();
        assertThat(records().hasEnded("open")).isFalse();
        start();
        Waiting.until("the run ends by itself", () -> records().hasEnded("open"));
        assertThat(Files.readString(folder.resolve("err"))).contains("run open is taken up where it stood")
                .doesNotContain("\tat ");
    }

    @Test
    void aServerStopsWithoutAComplaint() throws Exception {
        start();
        server.request(Program.request("cut-off"));
        Waiting.until("the run has begun",
                () -> records().request(StepPath.parse("cut-off/phase1/candidate0")).isPresent());
        assertThat(server.stop()).isTrue();
        assertThat(Files.readString(folder.resolve("err"))).doesNotContain("\tat ", "After Shutdown", "Exception");
    }
}
