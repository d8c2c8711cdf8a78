package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The script of a blend, run by Python.
class BlendScriptTest {
    @TempDir
    private Path folder;

    private static SolutionScript writes(String rows) {
        return SolutionScript.unscored(
                "# it's '\\n' and \"ü\"\nprint('noise')\nopen('final/submission.csv', 'w').write(open('input/head.csv').read() + '" + rows + "')\n",
                SolutionPhase.INIT);
    }

    private int run(Blend blend, List<SolutionScript> members) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("input"));
        Files.writeString(folder.resolve("input/head.csv"), "id,y\n");
        Files.writeString(folder.resolve("solution.py"), BlendScript.of(blend, members, 0.75));
        return new ProcessBuilder("python3", "solution.py").directory(folder.toFile()).redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile()).start().waitFor();
    }

    @ParameterizedTest
    @CsvSource({"MEAN, 1.5 2.25 4.0", "RANK_MEAN, 0.0625 0.4375 1.0", "VOTE, 1 2 4"})
    void membersRunAsTheyWereWrittenAndAreBlendedByTheirWeights(How how, String expected) throws IOException, InterruptedException {
        List<SolutionScript> members = List.of(writes("a,1\\nb,2\\nc,4\\n"), writes("x,9\\n"), writes("c,4\\na,3\\nb,3\\n"));

        assertThat(run(new Blend(how, List.of(3, 0, 1), TableFormat.USUAL), members)).as(() -> text("err")).isZero();

        String[] values = expected.split(" ");
        assertThat(text("final/submission.csv")).isEqualTo("id,y\na,%s\nb,%s\nc,%s\n".formatted((Object[]) values));
        assertThat(text("out")).isEqualTo("Final Validation Performance: 0.75\n");
    }

    @Test
    void aMemberWithTripleQuotesIsKeptToTheLetter() throws IOException, InterruptedException {
        SolutionScript quotes =
                SolutionScript.unscored("text = '''a\\tb'''\nopen('final/submission.csv', 'w').write('id,y\\nz,%d\\n' % len(text))\n", SolutionPhase.INIT);

        assertThat(run(new Blend(How.MEAN, List.of(1), TableFormat.USUAL), List.of(quotes))).as(() -> text("err")).isZero();

        assertThat(text("final/submission.csv")).isEqualTo("id,y\nz,3.0\n");
    }

    @Test
    void whatAMemberDiesOfIsSaid() throws IOException, InterruptedException {
        assertThat(run(new Blend(How.MEAN, List.of(1), TableFormat.USUAL),
                List.of(SolutionScript.unscored("raise ValueError('no such column')", SolutionPhase.INIT))))
                .isNotZero();

        assertThat(text("err")).contains("ValueError: no such column");
    }

    private String text(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
