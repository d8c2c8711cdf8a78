package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.store.FolderStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Words beyond ASCII in arguments, folders and archives, whatever the locale. A shell script
/// writes them: the JVM of this test may itself have a locale that cannot.
class LocaleIT {
    private static final String COMMANDS =
            """
                    set -e
                    mkdir 'données été'
                    printf 'id,größe,b\\n' > 'données été/train.csv'
                    for i in $(seq 40); do echo "$i,$i.5,$((i % 7))" >> 'données été/train.csv'; done
                    printf 'id,b\\n41,3\\n42,4\\n' > 'données été/test.csv'
                    python3 -c 'import zipfile; zipfile.ZipFile("archive.zip", "w").write("données été/train.csv", "été/train.csv")'
                    mlestar new 'données été' --target größe --metric MAE --description 'Die Größe ist gesucht' --out folder.yaml --yes > said
                    mlestar new archive.zip --target größe --metric MAE --description 'Die Größe' --json > archive.json
                    mlestar tell going 'Größe zählt' --by Jürgen > told
                    ls archive/input > unpacked
                    """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL=POSIX", "LANG=xx_XX.UTF-8"})
    void theyAreKeptInAnyLocale(String variable) throws Exception {
        DrivenRun.start(new FolderStore(folder.resolve("store")), "going", "{}", 0).until("phase1");
        Files.writeString(folder.resolve("commands"), COMMANDS.replaceAll("(?m)^mlestar", Program.COMMAND.getFirst()));
        Process process = new ProcessBuilder("env", "-u", "LANG", "-u", "LC_ALL", "-u", "LC_CTYPE", variable,
                "MLE_STAR_STORE=" + folder.resolve("store"),
                "sh", "commands").directory(folder.toFile()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(folder.resolve("folder.yaml")).content().contains("data_dir: ./données été", "Die Größe ist gesucht",
                "# target: größe");
        assertThat(folder.resolve("said")).content().contains("target     größe: ");
        JsonNode archive = Json.parse(Files.readString(folder.resolve("archive.json")));
        assertThat(archive.path("why").path("data").asText()).startsWith("été/train.csv (40 rows");
        assertThat(folder.resolve("unpacked")).hasContent("été");
        assertThat(new Notes(new FolderStore(folder.resolve("store"))).of("going")).singleElement()
                .matches(note -> note.text().equals("Größe zählt") && note.by().equals("Jürgen"));
    }
}
