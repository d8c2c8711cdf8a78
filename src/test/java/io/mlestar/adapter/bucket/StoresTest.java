package io.mlestar.adapter.bucket;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.LoopbackProxy;
import io.mlestar.app.program.upkeep.StoreProbe;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import module java.base;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/// The places where runs and data may lie: addresses of stores, the settings of those in a bucket,
/// and the folders that an operator shares.
class StoresTest {
    private static final String BEYOND = "data_dir must be a folder below ";

    @TempDir
    private Path temp;

    @Test
    void theAddressTellsTheKindOfStore() {
        Store store = Stores.open(temp.resolve("store").toString(), Map.of());
        assertThat(store).isInstanceOf(FolderStore.class);
        assertThat(store.address("runs/a")).isEqualTo(temp.resolve("store/runs/a").toString());
        assertThat(Stores.open("memory:", Map.of())).isInstanceOf(MemoryStore.class);
        refusal(() -> Stores.open("ftp://somewhere/runs", Map.of())).contains("ftp://somewhere/runs");
    }

    @ParameterizedTest
    @CsvSource({"store, true", "store/runs/evil, true", "store/../store/runs/evil, true", "link/evil, true",
        "store-2, false", "other/runs, false"})
    void aUsersFileDoesNotLieInTheStore(String file, boolean refused) throws IOException {
        Files.createDirectories(temp.resolve("store/runs"));
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("store/runs"));
        ThrowingCallable check = () -> Stores.checkOutside(temp.resolve(file), temp.resolve("store").toString());
        if (refused) {
            refusal(check).contains("lies in the store");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
        assertThatCode(() -> Stores.checkOutside(temp.resolve(file), "s3://bucket/store")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"data, data/store, true", "data, data, true", "data/images, data, true", "data, store, false",
        "data, data-store, false", "data, link/store, true", "data, memory:, false", "data, s3://data, false",
        "s3://b/a, s3://b/a, true",
        "s3://b, s3://b/a/, true", "s3://b/a#12, s3://b/a/, true", "s3://b/runs/x, s3://b/, true",
        "s3://b/data, s3://b/, false",
        "s3://b/a-b, s3://b/a, false", "s3://b, s3://c, false"})
    void dataAndRunsMustNotLieInEachOther(String data, String store, boolean refused)
            throws IOException {
        Files.createDirectories(temp.resolve("data/images"));
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("data"));
        ThrowingCallable check = () -> Stores.checkApart(data.contains(":") ? data : temp.resolve(data).toString(),
                store.contains(":") ? store : temp.resolve(store).toString());
        if (refused) {
            refusal(check).contains("one contains the other");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
    }

    @Test
    void storesThatKeepTheLawAreFine() {
        assertThat(StoreProbe.of(new MemoryStore()).wrong()).isEmpty();
        assertThat(StoreProbe.of(new FolderStore(temp)).wrong()).isEmpty();
    }

    @Test
    void aServerThatIgnoresConditionsIsFoundOut() {
        MemoryStore objects = new MemoryStore();
        Store store = new ForwardingStore(objects) {
            @Override
            public boolean create(String key, byte[] content) {
                objects.delete(key);
                return objects.create(key, content);
            }
        };
        assertThat(StoreProbe.of(store).wrong()).hasValue("ignores conditional writes: it replaced an object");
    }

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

    @Test
    void bareSettingsAreThoseOfAwsAndAServerOfOnesOwnIsSpokenToByPath() {
        assertThat(S3Settings.of("s3://bucket", Map.of())).isEqualTo(
                new S3Settings("bucket", "", Optional.empty(), Optional.empty(), false, ProxyRules.NONE));
        S3Settings settings = S3Settings.of("s3://bucket/x", Map.of("AWS_ENDPOINT_URL", "http://minio:9000"));
        assertThat(settings.endpoint()).hasValue(URI.create("http://minio:9000"));
        assertThat(settings.pathStyle()).isTrue();
        assertThat(settings.region()).hasValue("us-east-1");
    }

    @ParameterizedTest
    @CsvSource({"s3://bucket, s3://bucket/key", "s3://bucket/, s3://bucket/key", "s3://bucket/a, s3://bucket/a/key",
        "s3://bucket/a/b/, s3://bucket/a/b/key", "s3://bucket//a//b, s3://bucket/a/b/key"})
    void anAddressHasABucketAndAPrefix(String address, String key) {
        assertThat(S3Settings.of(address, Map.of()).address("key")).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://", "s3:///prefix", "s3://Bucket/x", "s3://a", "s3://bu_cket", "s3:/bucket/x",
        "s3://bucket:9000/x"})
    void anAddressThatIsNoneIsNamed(String address) {
        refusal(() -> S3Settings.of(address, Map.of())).contains(address, "s3://BUCKET");
    }

    @Test
    void whatIsSaidBeatsWhatIsGuessed() {
        S3Settings settings =
                S3Settings.of("s3://bucket/x", Map.of("AWS_ENDPOINT_URL", "http://other", "AWS_ENDPOINT_URL_S3",
                        "https://s3.example.org", "MLE_STAR_S3_PATH_STYLE", "false", "AWS_REGION", "auto"));
        assertThat(settings).isEqualTo(new S3Settings("bucket", "x/", Optional.of("auto"),
                Optional.of(URI.create("https://s3.example.org")), false, ProxyRules.NONE));
    }

    @ParameterizedTest
    @CsvSource({"MLE_STAR_S3_PATH_STYLE, yes", "AWS_ENDPOINT_URL_S3, minio:9000", "AWS_ENDPOINT_URL, ftp://x"})
    void aSettingThatMakesNoSenseIsNamed(String variable, String value) {
        refusal(() -> S3Settings.of("s3://bucket", Map.of(variable, value))).contains(value);
    }

    @ParameterizedTest
    @CsvSource({"true, https://s3.example.org/bucket/x/key", "false, https://bucket.s3.example.org/x/key"})
    void theBucketStandsInThePathOrTheHostName(String pathStyle, String url) {
        S3Settings settings = S3Settings.of("s3://bucket/x", Map.of("AWS_ENDPOINT_URL_S3", "https://s3.example.org",
                "MLE_STAR_S3_PATH_STYLE", pathStyle));
        try (S3Client client = S3Clients.open(settings, S3Server.credentials("a", "b"), S3Clients.Patience.USUAL)) {
            assertThat(
                    client.utilities().getUrl(request -> request.bucket(settings.bucket()).key(settings.object("key"))))
                    .hasToString(url);
        }
    }

    @Test
    void aBucketIsReachedThroughTheProxyOfItsAddress() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("there")) {
            Map<String, String> environment = new HashMap<>(S3Server.environment(URI.create("http://s3.example")));
            environment.put("HTTP_PROXY", proxy.url("u:p@"));
            Store store = new S3Store(S3Settings.of("s3://bucket/x", environment),
                    () -> S3Server.credentials("key", "secret"), S3Clients.Patience.USUAL);
            assertThat(store.read("a")).isPresent();
            assertThat(proxy.passed()).singleElement().satisfies(passed -> {
                assertThat(passed.line()).isEqualTo("GET http://s3.example/bucket/x/a HTTP/1.1");
                assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpw");
            });
            environment.put("NO_PROXY", "s3.example");
            assertThat(S3Settings.of("s3://bucket/x", environment).proxy()).isEmpty();
        }
    }
}
