package io.mlestar.adapter.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailFileTest {
    private static final int MOST = 200_000;

    @TempDir
    private Path folder;

    private TailFile file() {
        return new TailFile(folder.resolve("stdout"), MOST);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    private static String numbered(int lines) {
        return IntStream.range(0, lines).mapToObj("line %07d\n"::formatted).collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "one line", "Größe\n日本\n"})
    void givesBackAllOfAShortStream(String text) throws IOException {
        TailFile file = file();
        file.copy(stream(text));
        assertThat(file.tail(1_000)).isEqualTo(text);
    }

    /// Within the first and the second file, across both, at the border of the tail and at that of
    /// a block of the search.
    @ParameterizedTest
    @Requirement({"REQ-EX-038", "REQ-EX-011"})
    @ValueSource(ints = {0, 1_000_000, 2_097_140, 2_097_152, 3_000_000, 3_095_680, 3_095_700, 3_095_728, 4_144_280,
        4_144_303, 4_144_304, 4_194_304 - 39})
    void aScoreCountsWhereverItStandsInWhatTheDiskHolds(int at) throws IOException {
        int most = 4 << 20;
        String line = "Final Validation Performance: 0.5 of 7\n";
        String noise = numbered(most / 13 + 1).substring(0, most - line.length());
        TailFile file = new TailFile(folder.resolve("stdout"), most);
        file.copy(stream(noise.substring(0, at) + line + noise.substring(at)));
        String tail = file.tail(50_000, Scores::last);
        assertThat(tail).startsWith("[the output was cut: 4144304 bytes are missing here").contains("0.5 of 7\n");
        assertThat(tail.lines().skip(1).findFirst().orElseThrow().equals(line.strip()))
                .as("the line is put before the rest").isEqualTo(at <= 4_144_304);
        assertThat(Scores.parse(tail)).hasValue(0.5);
    }

    @Test
    void theLastScoreOfTheOutputCountsWhereverTheOthersStand() throws IOException {
        String score = "Final Validation Performance: ";
        assertThat(Scores.parse(kept(score + "0.1\n" + numbered(3_000) + score + "0.2\n" + numbered(6_000))))
                .hasValue(0.2);
        assertThat(Scores.parse(kept(score + "0.1\n" + numbered(6_000) + score + "0.2\n"))).hasValue(0.2);
        assertThat(Scores.parse(kept(score + "0.1\n" + numbered(6_000) + score + "nan\n"))).as("no number hides one")
                .isEmpty();
        assertThat(Scores.parse(kept(score + "0.1\n" + score + "0,2\n" + numbered(6_000)))).as("before the tail, too")
                .isEmpty();
        assertThat(kept(numbered(9_000))).doesNotContain(score);
    }

    private String kept(String output) throws IOException {
        TailFile file = file();
        file.copy(stream(output));
        return file.tail(50_000, Scores::last);
    }

    @Test
    void aFileThatWasNeverWrittenIsEmpty() throws IOException {
        assertThat(file().tail(1_000)).isEmpty();
    }

    @Test
    @Requirement("REQ-EX-038")
    void keepsTheEndAndSaysWhatIsMissing() throws IOException {
        TailFile file = file();
        file.copy(stream("0123456789"));
        assertThat(file.tail(10)).isEqualTo("0123456789");
        assertThat(file.tail(4)).isEqualTo("[the output was cut: 6 bytes are missing here]\n6789");
    }

    @ParameterizedTest
    @Requirement("REQ-EX-038")
    @ValueSource(ints = {8_000, 17_000, 30_000, 250_000})
    void theTailIsWholeWhereverTheFilesChange(int lines) throws IOException {
        String text = numbered(lines);
        TailFile file = file();
        file.copy(stream(text));
        String end = text.substring(text.length() - 50_000);
        assertThat(file.tail(50_000)).startsWith("[the output was cut: ").endsWith("]\n" + end);
    }

    @Test
    @Requirement("REQ-EX-038")
    void theDiskHoldsNoMoreThanTheMost() throws IOException {
        TailFile file = file();
        file.copy(stream(numbered(250_000)));
        long onDisk = 0;
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path path : files) {
                onDisk += Files.size(path);
            }
        }
        assertThat(onDisk).isBetween(MOST / 2L, (long) MOST);
    }

    @Test
    @Requirement("REQ-EX-043")
    void invalidBytesAreReplaced() throws IOException {
        TailFile file = file();
        file.copy(new ByteArrayInputStream(new byte[] {'a', (byte) 0xff, (byte) 0xc3, (byte) 0xa9, (byte) 0xe2, 'z'}));
        assertThat(file.tail(100)).isEqualTo("a\ufffdé\ufffdz");
    }

    @Test
    @Requirement("REQ-EX-043")
    void aCharacterThatIsCutInHalfIsReplaced() throws IOException {
        TailFile file = file();
        file.copy(stream("日本"));
        assertThat(file.tail(4)).endsWith("\ufffd本");
    }

    @Test
    void whatCameBeforeTheStreamBrokeStays() throws IOException {
        TailFile file = file();
        file.copy(new SequenceInputStream(stream("so far\n"), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Stream closed");
            }
        }));
        assertThat(file.tail(100)).isEqualTo("so far\n");
    }
}
