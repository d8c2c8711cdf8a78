package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.FolderStore;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.RunTable;
import io.mlestar.show.view.StoreSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Three runs in a folder, and files of one of them that something has spoilt.
class DamagedRecordTest {
    private static final String RETRIEVER = "steps/phase1/retriever.request.json";

    @TempDir
    private Path folder;

    @BeforeEach
    void threeRuns() {
        for (String run : List.of("left", "middle", "right")) {
            MadeRun.after(new FolderStore(folder), run, "{}", 1, 0, 12);
        }
    }

    private void spoil(String file, String content) throws IOException {
        Path path = folder.resolve("runs/middle").resolve(file);
        Files.delete(path);
        Files.writeString(path, content);
    }

    /// A record that something else wrote in the way of records.
    private void write(String file, String content) throws IOException {
        spoil(file, content.startsWith("{")
                ? new String(ChecksummedJson.bytes(Json.parse(content)), StandardCharsets.UTF_8) : content);
    }

    private void cut(String file) throws IOException {
        byte[] whole = Files.readAllBytes(folder.resolve("runs/middle").resolve(file));
        spoil(file, new String(whole, 0, whole.length / 2, StandardCharsets.UTF_8));
    }

    /// As a process sees it that has read nothing yet.
    private Records records() {
        return new Records(new FolderStore(folder));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    run.json | ``                                              | the text is empty
                    run.json | {}                                              | run_id
                    run.json | [1, 2]                                          | not a JSON object
                    run.json | {"run_id": "middle", "task": 7}                 | task
                    run.json | {"run_id": "../elsewhere"}                      | run_id must be
                    run.json | {"run_id": "middle", "started_at": "yesterday"} | started_at
                    steps/phase1/retriever.request.json | {}                                                        | work is required
                    steps/phase1/retriever.request.json | {"work": "phase/unheard-of", "input": {}, "asked_at": "2026-01-01T00:00:00Z", "deadline": "2026-01-01T00:00:00Z", "essential": false} | work is unknown
                    steps/phase1/retriever.request.json | {"work": "agent/retriever"}                    | input is required
                    steps/phase1/retriever.request.json | {"work": ["x"]}                                           | work
                    steps/phase1/retriever.result.json  | {}                                                        | status is required
                    steps/phase1/retriever.result.json  | {"status": "dunno"}                                       | status must be one of
                    steps/phase1/retriever.result.json  | {"status": "done", "started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:00Z"} | value is required
                    """)
    void aRecordThatIsNoneSaysWhatIsWrong(String file, String content, String said) throws IOException {
        write(file, content);
        assertThatThrownBy(() -> {
            records().header("middle");
            records().below(StepPath.parse("middle/phase1"));
        }).isInstanceOf(DamagedRecord.class).hasMessageContaining("runs/middle/" + file).hasMessageContaining(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run.json", "steps.request.json", RETRIEVER, "steps/phase1/retriever.result.json"})
    void theOtherRunsGoOn(String file) throws IOException {
        cut(file);
        List<RunState> all = RunState.all(records(), Instant.now());
        if (file.equals("steps.request.json")) {
            // No view of runs reads it.
            assertThat(all).extracting(RunState::status).containsOnly(RunStatus.RUNNING);
        } else {
            assertThat(all).extracting(RunState::runId).containsExactlyInAnyOrder("left", "right", "middle");
            assertThat(all.getLast().status()).isEqualTo(RunStatus.DAMAGED);
            assertThat(all.getLast().error()).contains("runs/middle/" + file);
            assertThat(RunTable.of(all, ZoneOffset.UTC)).contains("middle  damaged", "runs/middle/" + file);
            assertThat(Json.line(all)).contains("\"status\":\"damaged\"");
        }
        assertThat(swept()).contains("left", "right").doesNotContain("middle");
    }

    @Test
    void theSurveyCountsIt() throws IOException {
        cut("run.json");
        assertThat(new StoreSummary(records(), InstantSource.system(), Duration.ZERO).sums().runs())
                .isEqualTo(Map.of(RunStatus.RUNNING, 2, RunStatus.DAMAGED, 1));
    }

    /// The runs that a sweep of all sends something for.
    private List<String> swept() {
        Records records = records();
        List<String> swept = new ArrayList<>();
        InstantSource now = InstantSource.fixed(World.NOW.plusSeconds(3_000));
        Engine engine = new Engine(records, event -> {}, new World(1, 0), now, new Watcher() {});
        new Sweep(records, event -> swept.add(Event.stepOf(event.data()).run()), engine, now).all(Duration.ZERO);
        return swept.stream().distinct().toList();
    }
}
