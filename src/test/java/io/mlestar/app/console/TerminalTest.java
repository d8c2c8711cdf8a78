package io.mlestar.app.console;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.StoreUnavailable;
import module java.base;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// The console is sent no control characters, and warnings in one line; the log is what its
/// settings say.
class TerminalTest {
    private static final List<String> HOSTILE = HostileText.ALL;
    private static final List<BiConsumer<PrintStream, String>> WAYS = List.of(
            PrintStream::print, PrintStream::println, (out, text) -> out.print((Object) text),
            (out, text) -> out.println((Object) text),
            (out, text) -> out.print(text.toCharArray()), (out, text) -> out.println(text.toCharArray()),
            (out, text) -> out.printf("%s%n", text),
            PrintStream::append, (out, text) -> out.append(text, 0, text.length()),
            (out, text) -> text.chars().forEach(c -> out.print((char) c)),
            (out, text) -> text.chars().forEach(c -> out.append((char) c)),
            (out, text) -> new IllegalStateException(text).printStackTrace(out));

    private final List<String> console = new ArrayList<>();
    private final Warnings warnings = new Warnings(console::add);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new Terminal(new PrintStream(written, true, StandardCharsets.UTF_8));

    @ParameterizedTest
    @FieldSource("HOSTILE")
    void aFileIsGivenToAProgramAsItIsAndShownToAPerson(String hostile) {
        byte[] file = ("id,y\n" + hostile + ",1\n").getBytes(StandardCharsets.UTF_8);
        assertThat(Terminal.shown(file, false)).isSameAs(file);
        assertThat(HostileText.isIn(Terminal.shown(file, true))).isFalse();
    }

    @ParameterizedTest
    @FieldSource("HOSTILE")
    void noControlIsSentHoweverItIsPrintedOrLogged(String hostile) {
        for (BiConsumer<PrintStream, String> way : WAYS) {
            written.reset();
            way.accept(out, hostile);
            assertThat(HostileText.isIn(written.toByteArray())).as(written.toString(StandardCharsets.UTF_8)).isFalse();
            assertThat(written.toString(StandardCharsets.UTF_8)).contains("\\u");
        }
        ExtLogRecord line = new ExtLogRecord(Level.WARNING, hostile, TerminalTest.class.getName());
        line.setLoggerName("mle_star");
        line.putMdc("step", hostile);
        line.setThrown(new IllegalStateException(hostile));
        for (String logged : List.of(LogFormatter.json().format(line),
                LogFormatter.text(new PatternFormatter("%p %X{step} %s%e%n"), true).format(line),
                LogFormatter.text(new PatternFormatter("%p %X{step} %s%e%n"), false).format(line))) {
            assertThat(HostileText.isIn(logged.getBytes(StandardCharsets.UTF_8))).as(logged).isFalse();
        }
        assertThat(Json.parse(LogFormatter.json().format(line)).path("message").asText()).isEqualTo(hostile);
    }

    @ParameterizedTest
    @FieldSource("HOSTILE")
    void jsonThatIsShownIsTheSameJson(String hostile) {
        String json = Json.text(Json.object().put("text", hostile));
        assertThat(Json.parse(Controls.shown(json)).path("text").asText()).isEqualTo(hostile);
    }

    @Test
    void textWithoutControlsIsUnchanged() {
        String text = "tabs\tand\nlines, ümläute, 漢字, 👩‍🔬 and \\u001b in words\n";
        assertThat(Controls.shown(text)).isSameAs(text);
        assertThat(Controls.shown("one\r\ntwo")).isEqualTo("one\ntwo");
        out.print(text);
        out.print(3.5);
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo(text + "3.5");
    }

    @Test
    void theProgramsOwnControlSequencesAreSent() {
        Terminal.send(out, "\r\033[K");
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("\r\033[K");
    }

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

    @Test
    @Requirement({"REQ-OR-046", "REQ-OR-047"})
    void whatAUserGivesBeatsTheEnvironmentAndIsNotPartOfTheRun() {
        ObjectNode given = (ObjectNode) Json.parse(
                """
                        {"log_level": "debug", "log_file": "run.log", "model": "opus", "log_format": null}""");

        assertThat(LogSettings.taken(given, Map.of("MLE_STAR_LOG_LEVEL", "WARN", "MLE_STAR_LOG_FORMAT", "json")))
                .isEqualTo(new LogSettings("DEBUG", Optional.of("run.log"), "json"));
        assertThat(given).isEqualTo(Json.object().put("model", "opus"));
        assertThat(LogSettings.of(Map.of("MLE_STAR_LOG_LEVEL", " "))).isEqualTo(new LogSettings("INFO", "text"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"log_level": "LOUD"} | log_level must be one of
            {"log_format": "xml"} | log_format must be one of
            {"log_file": 7}       | log_file must be a text, but is 7
            {"log_file": " "}     | log_file is required and must not be blank
            """)
    void whatCannotBeIsRefusedByName(String given, String said) {
        refusal(() -> LogSettings.taken((ObjectNode) Json.parse(given), Map.of())).contains(said);
    }
}
