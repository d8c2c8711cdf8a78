package io.mlestar.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.store.StoreUnavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class WarningsTest {
    private final List<String> console = new ArrayList<>();
    private final Warnings warnings = new Warnings(console::add);

    private void log(String logger, Level level, String text, Throwable thrown) {
        LogRecord line = new LogRecord(level, text);
        line.setLoggerName(logger);
        line.setThrown(thrown);
        warnings.publish(line);
    }

    @Test
    void aWarningIsShownInOneLineAndOnce() {
        log("mle_star", Level.WARNING, "more than 80% of\nthe budget", null);
        log("mle_star.llm", Level.WARNING, "more than 80% of\nthe budget", null);
        log("mle_star.llm", Level.SEVERE, "the model is gone", new IOException("connection refused"));
        assertThat(console).containsExactly("warning: more than 80% of the budget",
                "warning: the model is gone (connection refused)");
    }

    @Test
    void linesOfStepsAndLinesBelowAWarningAreNotShown() {
        log("mle_star", Level.WARNING, "event=ended step=r/phase1/init status=failed", null);
        log("mle_star", Level.INFO, "=== r: phase1 ===", null);
        log("io.vertx.core", Level.WARNING, "slow", null);
        log("mle_starling", Level.WARNING, "another project's logger", null);
        assertThat(console).isEmpty();
        log("io.vertx.core", Level.SEVERE, "broken", null);
        assertThat(console).containsExactly("warning: broken");
    }

    @Test
    void reasonsAreGivenInOneLineWithAllCausesAndNoneTwice() {
        String credentials = "Unable to load credentials: " + "[a provider: not configured], ".repeat(50);
        Throwable cause = new IllegalStateException(credentials, new IOException("no route to host"));
        assertThat(Reasons.of(new StoreUnavailable("cannot list s3://b: " + credentials, cause)))
                .isEqualTo("cannot list s3://b: " + credentials.strip() + " (no route to host)").doesNotContain("\n");
        assertThat(Reasons.of(new NullPointerException())).isEqualTo("NullPointerException");
        assertThat(Reasons.with("event 1", new IOException("a\n  b"))).isEqualTo("event 1 (a b)");
    }
}
