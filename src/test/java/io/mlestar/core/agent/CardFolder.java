package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import module java.base;

/// A folder with data, and the real script that looks at it, run by this machine's Python. It has
/// all the time it wants, unless a test says otherwise: what it finds must not depend on who else
/// is busy.
public record CardFolder(Path data) {
    public static final int PATIENT = 3_600;

    /// @param folder where a script would have its workspace
    public static CardFolder in(Path folder) throws IOException {
        return new CardFolder(Files.createDirectories(folder.resolve("input")));
    }

    public static String rows(int from, int to, IntFunction<String> row) {
        return IntStream.rangeClosed(from, to).mapToObj(row).collect(Collectors.joining("\n", "", "\n"));
    }

    public CardFolder with(String name, String content) throws IOException {
        return with(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public CardFolder with(String name, byte[] content) throws IOException {
        Path file = data.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        return this;
    }

    static byte[] packed(String content, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < times; i++) {
                out.write(content.getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    /// The output of the data card's script.
    String printed(int seconds) throws IOException {
        return printed(SurveyScripts.dataCard(seconds));
    }

    /// The output of a script that looks at it.
    public String printed(String content) throws IOException {
        Path workspace = data.getParent();
        Path script = Files.writeString(workspace.resolve("data_card.py"), content);
        int exitCode = ForkedPython.run(workspace, script);
        assertThat(exitCode).as(Files.readString(workspace.resolve("err"))).isZero();
        return Files.readString(workspace.resolve("out"), StandardCharsets.US_ASCII);
    }

    /// The lines that the agents are told of it. All that the script says arrives as it said it.
    List<String> lines() throws IOException {
        String printed = printed(PATIENT);
        List<String> lines = DataReading.read(printed).lines();
        assertThat(Json.tree(lines)).isEqualTo(Json.parse(printed).path("lines"));
        return lines;
    }
}
