package io.mlestar.app.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DisplayTest {
    @Test
    void aBarAndColoursAreForTerminalsThatCanAndPeopleWhoWant() {
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm"))).isEqualTo(Display.COLOURS);
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm", "NO_COLOR", "", "CI", ""))).isEqualTo(Display.COLOURS);
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isEqualTo(Display.BAR);
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm", "CI", "true"))).isEqualTo(Display.LINES);
        assertThat(Display.ofTerminal(Map.of("TERM", "dumb"))).isEqualTo(Display.LINES);
        assertThat(Display.ofTerminal(Map.of())).isEqualTo(Display.LINES);
        assertThat(Display.of(true, Map.of("TERM", "xterm"))).isEqualTo(Display.NOTHING);
    }
}
