package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Window;
import io.mlestar.show.log.Ear;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The files in a script's folder that count: the program, and what it submits.
@Timeout(300)
class ScriptFilesTest {
    private static final String MISSING = "SubmissionError: ./final/submission.csv was not created or is empty";

    @TempDir
    private Path folder;

    private Execution run(String content, Kind kind) throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Instant end = Instant.now().plus(Sandboxes.AMPLE);
        return new ScriptRunner(Sandboxes.of(Isolation.SESSION), InstantSource.system(), folder.resolve("scratch"))
                .run(new RunScript(content, kind, 60), data, new Window(end, end), ScriptListener.NONE, null);
    }

    private Execution submitting(String file, String csv) throws Exception {
        return run("open('%s', 'wb').write(b'%s')".formatted(file, csv), Kind.SUBMISSION);
    }

    @Test
    @Requirement("REQ-FN-045")
    void onlyFinalSubmissionCsvIsASubmission() throws Exception {
        assertThat(submitting("final/submission.csv", "id,x\\n1,2\\n")).isInstanceOfSatisfying(Execution.Ended.class,
                ended -> assertThat(ended.submission().rowCount()).isOne());
        for (String elsewhere : List.of("submission.csv", "final/final_submission.csv")) {
            assertThat(submitting(elsewhere, "id,x\\n1,2\\n")).isInstanceOfSatisfying(Execution.Failed.class,
                    failed -> assertThat(failed.bug()).as(elsewhere).endsWith(MISSING));
        }
    }

    @Test
    @Requirement("REQ-FN-022")
    void aSubmissionThatIsNoCsvIsKeptWithAWarning() throws Exception {
        assertThat(warnings("id,x\\n1,2\\n\\\"3\\n,5\\\",4")).isEmpty();
        assertThat(warnings("id,x\\n1,2\\n3,4,5\\n")).singleElement().asString()
                .startsWith("./final/submission.csv is no CSV: ").contains("3 fields");
        assertThat(warnings("id,x\\n1,\\xff\\xfe\\n")).singleElement().asString()
                .contains("is no CSV: it cannot be read as UTF-8");
    }

    private List<String> warnings(String csv) throws Exception {
        List<String> warnings = new ArrayList<>();
        try (Ear ear = new Ear("mle_star.sandbox", line -> {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(new SimpleFormatter().formatMessage(line));
            }
        })) {
            assertThat(submitting("final/submission.csv", csv)).isInstanceOfSatisfying(Execution.Ended.class,
                    ended -> assertThat(ended.submission()).isNotNull());
        }
        return warnings;
    }
}
