package io.mlestar.core.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.CardFolder;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Which rows the program hides, and what of them shows, with the real program on this machine's Python.
@Timeout(300)
class HiddenRowsTest {
    private static final String PROGRAM = SurveyScripts.holdout(CardFolder.PATIENT);
    private static final String MAIN = "\nmain(hold_out)\n";

    @TempDir
    private Path folder;

    /// What code prints that has all that the program knows.
    private String probed(CardFolder data, String code) throws IOException, InterruptedException {
        assertThat(PROGRAM).endsWith(MAIN);
        return data.printed(PROGRAM.substring(0, PROGRAM.length() - MAIN.length()) + "\n" + code);
    }

    @Test
    void noRowIsHiddenTwiceWhateverTheirNumber() throws IOException, InterruptedException {
        String wrong = probed(CardFolder.in(folder), """
                class Rows(list):
                    def at(self, row, name):
                        return self[row]
                for count in range(667, 2001):
                    size = max(LEAST, int(PART * count))
                    halves = at_random(Rows(str(row % 3) for row in range(count)), list(range(count)), 'y', size, random.Random(count))
                    if [len(half) for half in halves] != [size, size] or len(set(halves[0] + halves[1])) != 2 * size:
                        print(count)
                """);

        assertThat(wrong).isEmpty();
    }
}
