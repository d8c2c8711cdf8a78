package io.mlestar.core.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.CardFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
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

    @Test
    void aScriptThatKnowsTheProgramGuessesNoMoreLabelsByRepeatingItsDraws() throws IOException, InterruptedException {
        Random noise = new Random(1);
        CardFolder data = CardFolder.in(folder)
                .with("train.csv", "id,row,x,y\n" + CardFolder.rows(0, 999, i -> "%d,%d,%.3f,%s".formatted(i, i, i % 7 % 2 + noise.nextGaussian(), i % 7 % 2)))
                .with("test.csv", "id,row,x\n" + CardFolder.rows(0, 59, i -> "%d,%d,0.5".formatted(5000 + i, -1 - i)))
                .with("sample_submission.csv", "id,y\n" + CardFolder.rows(0, 59, i -> 5000 + i + ",0"));
        String attack = Files.readString(Path.of("src/test/resources/holdout/attack.py"));

        String[] guessed = probed(data, attack).strip().split(" ");

        assertThat(Integer.parseInt(guessed[1])).as("of 200, by the draws").isLessThanOrEqualTo(Integer.parseInt(guessed[0]));
        assertThat(Integer.parseInt(guessed[0])).as("of 200, by the feature").isBetween(110, 180);
    }
}
