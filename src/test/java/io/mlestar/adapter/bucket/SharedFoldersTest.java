package io.mlestar.adapter.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedFoldersTest {
    private static final String BEYOND = "data_dir must be a folder below ";

    @TempDir
    private Path temp;

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(temp.resolve("data/birds"));
        Files.createDirectories(temp.resolve("other/keys/deep"));
        Files.writeString(temp.resolve("other/keys/deep/openai"), "secret");
        Files.createSymbolicLink(temp.resolve("data/out"), temp.resolve("other"));
        Files.createSymbolicLink(temp.resolve("in"), temp.resolve("data/birds"));
    }

    private void refused(Map<String, String> environment, String dir, String said) {
        assertThatExceptionOfType(Invalid.class).as(dir).isThrownBy(() -> SharedFolders.of(environment).checkData(dir))
                .withMessageContaining(said);
    }

    @Test
    void foldersBelowThoseThatTheOperatorNamesAreTakenAndLinksCountAsWhatTheyLeadTo() {
        Map<String, String> environment = Map.of("MLE_STAR_DATA", temp.resolve("data") + ":" + temp.resolve("more"));
        SharedFolders shared = SharedFolders.of(environment);
        shared.checkData(temp.resolve("data").toString());
        shared.checkData(temp.resolve("data/birds").toString());
        shared.checkData(temp.resolve("more/not/there").toString());
        shared.checkData(temp.resolve("in").toString());
        shared.checkData("s3://bucket/birds");
        for (String dir : new String[] {"other", "data/out", "data/out/keys", "data/out/not/there", "data/../other",
            "database", "."}) {
            refused(environment, temp.resolve(dir).toString(), BEYOND + temp.toAbsolutePath().resolve("data"));
        }
        refused(environment, temp + "/data/out/../birds/../../other", BEYOND);
        refused(environment, temp + "/data/out/..", BEYOND);
        refused(environment, "nul\0", "data_dir: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/etc", "/proc", "/proc/self", "/sys", "/dev", "/dev/shm", "/root", "/no/such"})
    void ofTheSystemNothingIsTaken(String dir) {
        refused(Map.of(), dir, BEYOND);
        refused(Map.of("MLE_STAR_DATA", "/"), dir.startsWith("/etc") || dir.startsWith("/no") ? "/" : dir, BEYOND);
    }

    @Test
    void aProgramThatWasStartedAboveAHomeTakesWhatTheOperatorNamesAlone() {
        Path home = temp.resolve("home/ann");
        for (Path working : new Path[] {Path.of("/"), temp.resolve("home"), home}) {
            assertThatExceptionOfType(Invalid.class).as(working.toString())
                    .isThrownBy(() -> SharedFolders.of(Map.of(), working, home)
                            .checkData(temp.resolve("data/birds").toString()))
                    .withMessageContaining("data_dir is not taken")
                    .withMessageContaining("set MLE_STAR_DATA to the folders with data");
            SharedFolders.of(Map.of(), working, home).checkData("s3://bucket/birds");
            SharedFolders.of(Map.of("MLE_STAR_DATA", temp.resolve("data").toString()), working, home)
                    .checkData(temp.resolve("data/birds").toString());
        }
        assertThat(SharedFolders.of(Map.of(), home.resolve("work"), home).roots())
                .containsExactly(SharedFolders.real(home.resolve("work")));
    }

    @Test
    void neitherTheTemporaryFolderNorAHomeIsSharedAsAWhole() {
        String home = System.getProperty("user.home");
        Map<String, String> all = Map.of("MLE_STAR_DATA", "/");
        for (String dir : new String[] {System.getProperty("java.io.tmpdir"), temp.toString(), home, home + "/.ssh",
            home + "/.config/any"}) {
            refused(all, dir, BEYOND);
        }
        SharedFolders.of(all).checkData(home + "/data");
        SharedFolders.of(Map.of("MLE_STAR_DATA", home + "/.cache/data")).checkData(home + "/.cache/data/birds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"other", "other/keys", "other/keys/deep", "data/out/keys"})
    void aFolderWithAKeyIsRefusedInAnyCase(String dir) {
        Map<String, String> environment = Map.of("MLE_STAR_DATA", temp.toString(), "OPENAI_API_KEY_FILE",
                temp.resolve("other/keys/deep/openai").toString());
        refused(environment, temp.resolve(dir).toString(), "holds a key of the program");
        SharedFolders.of(environment).checkData(temp.resolve("data/birds").toString());
    }
}
