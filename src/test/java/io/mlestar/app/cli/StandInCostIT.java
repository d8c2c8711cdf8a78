package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mlestar.ProjectFiles;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `docs/sizing.md` says of the calls, tokens and dollars of a run with the default
/// settings, by the commands that it names.
@Tag("long")
class StandInCostIT {
    private static final int THOUSAND = 1_000;
    /// Calls before the first: whether the model answers.
    private static final int PROBES = 1;
    private static final int SONNET = 4;
    /// Which answer comes when depends on which path asks first.
    private static final double PERCENT = 5;

    @TempDir
    private Path folder;

    private static List<Double> documented() {
        return Pattern.compile("(?m)^\\| all \\|(.*)\\|$")
                .matcher(ProjectFiles.text(Path.of("docs/sizing.md"))).results()
                .flatMap(row -> Stream.of(row.group(1).split("\\|"))).map(Double::valueOf).toList();
    }

    @Test
    void aDefaultRunAsksWhatIsDocumented() throws Exception {
        Process standIn = new ProcessBuilder("python3", "src/examples/cost/stand_in.py", Program.EXAMPLE + "/answers")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var printed = standIn.inputReader()) {
            String address = printed.readLine();
            Program.Ended ended =
                    new Program(folder).with("ANTHROPIC_API_KEY", "x").with("ANTHROPIC_BASE_URL", address + "/v1/")
                            .with("MLE_STAR_SANDBOX", "preferred").run("run", "--model", "sonnet", "--task",
                                    Program.EXAMPLE + "/task.yaml", "--set",
                                    "needs_libraries=false", "--store", folder.resolve("store").toString());
            assertThat(ended.out()).as(ended.err()).contains("score", "cost $");
            String said = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(address + "/")).build(), BodyHandlers.ofString()).body();
            List<Integer> all = said.lines().filter(line -> line.startsWith("all "))
                    .flatMap(line -> Stream.of(line.substring(4).split(" ")))
                    .map(Integer::valueOf).toList();
            List<Double> documented = documented();
            assertThat(all.getFirst() - PROBES).as(said).isEqualTo(documented.getFirst().intValue());
            assertThat(documented.get(1) * THOUSAND).as(said).isCloseTo(all.get(1), withinPercentage(PERCENT));
            assertThat(documented.get(2) * THOUSAND).as(said).isCloseTo(all.get(2), withinPercentage(PERCENT));
            assertThat(documented.get(SONNET)).as(ended.out())
                    .isCloseTo(Double.parseDouble(ended.out().replaceFirst("(?s).*cost \\$([\\d.]+).*", "$1")),
                            withinPercentage(PERCENT));
        } finally {
            standIn.destroyForcibly();
        }
    }
}
