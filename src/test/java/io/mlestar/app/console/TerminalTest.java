package io.mlestar.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

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
        for (String logged : List.of(new LogFormatter(null, true).format(line),
                new LogFormatter(new PatternFormatter("%p %X{step} %s%e%n"), true).format(line),
                new LogFormatter(new PatternFormatter("%p %X{step} %s%e%n"), false).format(line))) {
            assertThat(HostileText.isIn(logged.getBytes(StandardCharsets.UTF_8))).as(logged).isFalse();
        }
        assertThat(Json.parse(new LogFormatter(null, true).format(line)).path("message").asText()).isEqualTo(hostile);
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
}
