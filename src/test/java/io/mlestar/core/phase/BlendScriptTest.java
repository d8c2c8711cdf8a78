package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.ProjectFiles;
import io.mlestar.adapter.grade.GreedyBlend;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The script of a blend, run by Python.
class BlendScriptTest {
    @TempDir
    private Path folder;
    private String seconds = "1000";

    private static SolutionScript writes(String rows) {
        return SolutionScript.unscored(
                "# it's ''' '\\n' and \"ü\"\nprint('noise')\nopen('final/submission.csv', 'w').write(open('input/head.csv').read() + '"
                        + rows + "')\n",
                SolutionPhase.INIT);
    }

    private int run(Blend blend, List<SolutionScript> members) throws Exception {
        return run(BlendScript.of(blend, members, 0.75));
    }

    private int run(String program) throws Exception {
        Files.createDirectories(folder.resolve("input"));
        Files.writeString(folder.resolve("input/head.csv"), "id,y\n");
        Files.writeString(folder.resolve("solution.py"), program);
        ProcessBuilder python = new ProcessBuilder("python3", "solution.py");
        python.environment().put(RunScript.SECONDS, seconds);
        return python.directory(folder.toFile()).redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile()).start().waitFor();
    }

    @ParameterizedTest
    @CsvSource({"MEAN, 1.5 2.25 4.0", "MEDIAN, 1.0 2.0 4.0", "RANK_MEAN, 0.0625 0.4375 1.0", "VOTE, 1 2 4"})
    void membersRunAsTheyWereWrittenAndAreBlendedByTheirWeights(How how, String expected) throws Exception {
        List<SolutionScript> members =
                List.of(writes("a,1\\nb,2\\nc,4\\n"), writes("x,9\\n"), writes("c,4\\na,3\\nb,3\\n"));

        assertThat(run(new Blend(how, List.of(3, 0, 1), TableFormat.USUAL), members)).as(() -> text("err")).isZero();

        String[] values = expected.split(" ");
        assertThat(text("final/submission.csv")).isEqualTo("id,y\na,%s\nb,%s\nc,%s\n".formatted((Object[]) values));
        assertThat(text("out")).isEqualTo("Final Validation Performance: 0.75\n");
    }

    @Test
    void inPartsItReadsItsMembersFromFilesAndPredictsTheSame() throws Exception {
        SolutionScript quotes = SolutionScript.unscored(
                "text = '''a\\tb'''\nopen('final/submission.csv', 'w').write('id,y\\na,%d\\n' % len(text))\n",
                SolutionPhase.INIT);
        List<SolutionScript> members = List.of(writes("a,1\\n"), writes("a,9\\n"), quotes.by("phase1/candidate0"));
        Blend blend = new Blend(How.MEAN, List.of(3, 0, 1), TableFormat.USUAL);

        BlendScript.SplitBlend parts = BlendScript.parts(BlendScript.of(blend, members, 0.75), "members").orElseThrow();

        assertThat(parts.members())
                .isEqualTo(Map.of("members/1.py", members.getFirst().content(), "members/2.py", quotes.content()));
        assertThat(parts.program()).doesNotContain("noise", "len(text)");
        Files.createDirectories(folder.resolve("members"));
        for (Map.Entry<String, String> member : parts.members().entrySet()) {
            Files.writeString(folder.resolve(member.getKey()), member.getValue());
        }
        assertThat(run(parts.program())).as(() -> text("err")).isZero();
        assertThat(text("final/submission.csv")).isEqualTo("id,y\na,1.5\n");
        assertThat(text("out")).isEqualTo("Final Validation Performance: 0.75\n");
    }

    @Test
    void aMemberThatFailsIsLeftOutAndSaid() throws Exception {
        SolutionScript fails = SolutionScript.unscored("raise ValueError('no such column')", SolutionPhase.INIT)
                .by("phase1/candidate1");
        SolutionScript others = writes("a,1\\n").by("phase1/candidate2");

        assertThat(run(new Blend(How.MEAN, List.of(1, 1, 1), TableFormat.USUAL),
                List.of(writes("a,1\\nb,3\\n"), fails, others))).as(() -> text("err")).isZero();

        assertThat(text("final/submission.csv")).isEqualTo("id,y\na,1.0\nb,3.0\n");
        assertThat(text("out"))
                .startsWith(
                        "Left out of the blend: phase1/candidate1: ValueError: no such column\nLeft out of the blend: phase1/candidate2: its rows");
        assertThat(text("err")).as("no traceback that would send the blend to the debugger").isEmpty();
    }

    /// The blend uses 700 of 1,000 s: two members of 200 s, which take a quarter longer on all
    /// rows, fit, and one of 10,000 s does not. The members here take a moment, so that a busy
    /// machine has time enough for them.
    @Test
    void whereNotAllFitThoseWorthMostForTheirTimeAreTrained() throws Exception {
        SolutionScript slow = writes("a,9\\n").ranFor(10_000).by("phase1/candidate0");
        Blend blend = new Blend(How.MEAN, List.of(3, 2, 1), TableFormat.USUAL);

        assertThat(run(blend, List.of(slow, writes("a,1\\n").ranFor(200), writes("a,4\\n").ranFor(200))))
                .as(() -> text("err")).isZero();

        assertThat(text("final/submission.csv")).isEqualTo("id,y\na,2.0\n");
        assertThat(text("out")).startsWith("Left out of the blend: phase1/candidate0: there was no time for it\n");
    }

    @Test
    void aBlendFailsIfMostOfItDoesNotFitOrEachMemberFails() throws Exception {
        seconds = "10";
        assertThat(run(new Blend(How.MEAN, List.of(3, 2), TableFormat.USUAL),
                List.of(writes("a,9\\n").ranFor(100), writes("a,1\\n").ranFor(2)))).isNotZero();
        assertThat(text("err")).contains("no time to train most of the blend");
        assertThat(run(new Blend(How.MEAN, List.of(1), TableFormat.USUAL),
                List.of(SolutionScript.unscored("raise ValueError('no')", SolutionPhase.INIT)))).isNotZero();
        assertThat(text("err")).contains("each member of the blend failed");
    }

    static Stream<Arguments> waysAndFormats() {
        List<TableFormat> formats = List.of(new TableFormat(';', ',', 2), new TableFormat('\t', '.', 0));
        return Stream.of(How.values()).map(how -> Arguments.of(how, formats.get(how.ordinal() % 2)));
    }

    /// A row of a member: labels in every spelling, or numbers.
    private static String row(int row, How how, TableFormat format, Random random) {
        List<String> labels = List.of("1", format.delimiter() == ',' ? "1.0" : "1,0", "True", "0", "0.0", "false", "b");
        Stream<String> key = format.keys() == 2 ? Stream.of("p" + row / 2, "q" + row % 2) : Stream.of("x" + row);
        Stream<String> values =
                IntStream.range(0, 2).mapToObj(_ -> how == How.VOTE ? labels.get(random.nextInt(labels.size()))
                        : String.valueOf(random.nextInt(20) / 4.0).replace('.', format.decimal()));
        return Stream.concat(key, values).collect(Collectors.joining(String.valueOf(format.delimiter())));
    }

    @ParameterizedTest
    @MethodSource("waysAndFormats")
    void theProgramBlendsAsThePredictionsWereBlendedWhenTheyWereScored(How how, TableFormat format) throws Exception {
        Random random = new Random(5);
        List<byte[]> members = IntStream.range(0, 4).mapToObj(_ -> {
            List<String> rows =
                    new ArrayList<>(IntStream.range(0, 40).mapToObj(row -> row(row, how, format, random)).toList());
            if (format.keys() > 0) {
                Collections.shuffle(rows, random);
            }
            rows.addFirst(String.join(String.valueOf(format.delimiter()),
                    List.of("p", "q", "y", "z").subList(format.keys() == 2 ? 0 : 1, 4)));
            return String.join("\n", rows).getBytes(StandardCharsets.UTF_8);
        }).toList();
        Blend blend = new Blend(how, List.of(3, 0, 1, 2), format);

        assertThat(run(blend,
                members.stream().map(csv -> SolutionScript.unscored("open('final/submission.csv', 'w').write("
                        + Json.text(new String(csv, StandardCharsets.UTF_8)) + ")", SolutionPhase.INIT)).toList()))
                .as(() -> text("err")).isZero();

        List<String> written = fields(text("final/submission.csv"), format);
        List<String> scored = fields(
                new String(GreedyBlend.predictions(blend, members::get, _ -> true), StandardCharsets.UTF_8), format);
        assertThat(written).hasSameSizeAs(scored).hasSizeGreaterThan(41 * 2);
        assertThat(IntStream.range(0, written.size())).as("seed 5").allSatisfy(i -> {
            if (scored.get(i).matches("[0-9].*") && how != How.VOTE) {
                assertThat(number(written.get(i))).isCloseTo(number(scored.get(i)), within(1e-12));
            } else {
                assertThat(written.get(i)).isEqualTo(scored.get(i));
            }
        });
    }

    private static List<String> fields(String csv, TableFormat format) {
        return csv.lines().flatMap(line -> Stream.of(line.split(Pattern.quote(String.valueOf(format.delimiter())))))
                .toList();
    }

    private static double number(String field) {
        return Double.parseDouble(field.replace(',', '.'));
    }

    private String text(String file) {
        return ProjectFiles.text(folder.resolve(file));
    }
}
