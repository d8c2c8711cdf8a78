package io.mlestar.adapter.bucket;

import static io.mlestar.Refusal.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.adapter.bucket.Meddler.Fault;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.StoreUnavailable;
import module java.base;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class DataSetsTest {
    @AutoClose
    private static final S3Server SERVER = S3Server.start();

    @TempDir
    private Path folder;

    private Path data;
    private Path cache;
    private String address;
    private S3Store bucket;

    @BeforeEach
    void prepare() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        cache = folder.resolve("cache");
        Files.createDirectories(data.resolve("images"));
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        Files.writeString(data.resolve("empty"), "");
        byte[] image = new byte[300_000];
        new Random(2).nextBytes(image);
        Files.write(data.resolve("images/ä 1.png"), image);
        address = SERVER.freshAddress();
        bucket = SERVER.store(address);
    }

    private DataSets sets() {
        return sets(SERVER.endpoint());
    }

    private DataSets sets(URI at) {
        return new DataSets(cache, place -> S3Server.store(place, at, S3Server.PATIENCE));
    }

    private DataPush.PushResult push() {
        return new DataPush(bucket).push(data);
    }

    private void sameAsData(Path fetched) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(fetched.resolve(data.relativize(file))).hasSameBinaryContentAs(file);
            }
        }
    }

    @Test
    void whatIsPushedIsSentOnceAndFetchedOnce() throws IOException {
        DataPush.PushResult pushed = push();
        assertThat(pushed).isEqualTo(new DataPush.PushResult(3, 300_009, 3, pushed.digest()));
        String found = sets().found(address, folder);
        assertThat(found).isEqualTo(address + "#" + pushed.digest());

        Path fetched = sets().local(found);
        sameAsData(fetched);
        try (Meddler network = new Meddler(SERVER.endpoint())) {
            assertThat(sets(network.endpoint()).local(found)).isEqualTo(fetched);
            assertThat(network.heads()).as("only the manifest is read").hasSize(1);
        }
        assertThat(push().sent()).as("once more").isZero();
    }

    @Test
    void pushingAgainAfterAFailureSendsWhatIsMissing() throws IOException {
        try (Meddler network = new Meddler(SERVER.endpoint())) {
            String train = "PUT " + URI.create(address.replaceFirst("^s3:/", "")) + "/train.csv";
            network.with(train, Collections.nCopies(10, new Fault.Refusal(403, "AccessDenied")).toArray(Fault[]::new));
            DataPush push = new DataPush(S3Server.store(address, network.endpoint(), S3Server.PATIENCE));
            refusal(StoreUnavailable.class, () -> push.push(data)).contains("train.csv");
        }
        assertThat(bucket.read(DataManifest.KEY)).as("no manifest before all files").isEmpty();
        assertThat(push().sent()).isBetween(1, 3);
        assertThat(bucket.read(DataManifest.KEY)).isPresent();
    }

    @Test
    void anotherContentIsRefusedByItsName() throws IOException {
        push();
        Files.writeString(data.resolve("train.csv"), "id,y\n1,1\n");
        refusal(this::push).contains("train.csv", "new prefix");
        assertThat(bucket.read("train.csv")).hasValue("id,y\n1,0\n".getBytes(UTF_8));
    }

    @Test
    void whatSomebodyElsePutThereIsComparedByItsBytes() throws IOException {
        bucket.create("train.csv", Files.readAllBytes(data.resolve("train.csv")));
        assertThat(push().sent()).isEqualTo(2);
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.writeString(other.resolve("x"), "ours");
        S3Store place = SERVER.store(SERVER.freshAddress());
        place.create("x", "theirs".getBytes(UTF_8));
        refusal(() -> new DataPush(place).push(other)).contains("/x holds another content");
        assertThat(place.read(DataManifest.KEY)).isEmpty();
    }

    @Test
    void aFolderWithoutFilesIsRefused() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty-folder"));
        refusal(() -> new DataPush(bucket).push(empty)).contains("holds no file");
        refusal(() -> new DataPush(bucket).push(folder.resolve("nowhere"))).contains("nowhere is not a folder");
    }

    @Test
    void aBucketWithoutAManifestWillDo() throws IOException {
        bucket.create("train.csv", "a".getBytes(UTF_8));
        bucket.create("images/1.png", "b".getBytes(UTF_8));
        String found = sets().found(address, folder);
        Path fetched = sets().local(found);
        assertThat(fetched.resolve("train.csv")).hasContent("a");
        assertThat(fetched.resolve("images/1.png")).hasContent("b");

        bucket.create("test.csv", "c".getBytes(UTF_8));
        refusal(() -> sets().local(found)).contains("have changed");
        assertThat(sets().local(sets().found(address, folder)).resolve("test.csv")).hasContent("c");
    }

    @Test
    void anAddressWithoutObjectsAndAPinThatIsNotTheContentAreRefused() {
        refusal(() -> sets().found(address, folder)).contains(address, "mlestar data push");
        push();
        refusal(() -> sets().found(address + "#0123456789abcdef", folder)).contains("0123456789abcdef");
    }

    @Test
    void aFileThatIsNotWhatItsManifestSaysIsNeverShown() {
        bucket.create("train.csv", "tampered".getBytes(UTF_8));
        DataManifest manifest = new DataManifest(List.of(new DataManifest.File("train.csv", 8, "00".repeat(32), null)));
        bucket.create(DataManifest.KEY, manifest.bytes());
        refusal(StoreUnavailable.class, () -> sets().local(address))
                .contains("train.csv is not what it was said to be");
        assertThat(cache.resolve(manifest.digest())).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "/etc/passwd", "a/../../b", ""})
    void aManifestThatLeadsOutIsRefused(String name) {
        bucket.create(DataManifest.KEY, Json.bytes(Json.object().set("files", Json.tree(List.of(
                Json.object().put("name", name).put("size", 1).put("sha256", "00"))))));
        refusal(() -> sets().found(address, folder)).contains(name);
    }

    @Test
    void aDownloadThatFailsLeavesNothingAndIsDoneLater() throws IOException {
        push();
        try (Meddler network = new Meddler(SERVER.endpoint())) {
            String image = "GET " + address.replaceFirst("^s3:/", "") + "/images/";
            network.with(image, Collections.nCopies(9, new Fault.HalfAnswer()).toArray(Fault[]::new));
            DataSets sets = sets(network.endpoint());
            refusal(StoreUnavailable.class, () -> sets.local(address)).contains("images/");
            assertThatThrownBy(() -> sets.local(address)).isInstanceOf(StoreUnavailable.class);
            assertThatThrownBy(() -> sets.local(address)).isInstanceOf(StoreUnavailable.class);
            sameAsData(sets.local(address));
        }
    }

    @Test
    void aCacheThatLostBytesIsFetchedAgain() throws IOException {
        push();
        Path fetched = sets().local(address);
        fetched.resolve("train.csv").toFile().setWritable(true);
        Files.writeString(fetched.resolve("train.csv"), "");
        sameAsData(sets().local(address));
    }

    @Test
    void manyAtOnceFetchOnce() throws Exception {
        push();
        try (Meddler network = new Meddler(SERVER.endpoint());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Path>> all = new ArrayList<>();
            DataSets sets = sets(network.endpoint());
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> sets.local(address)));
            }
            for (Future<Path> one : all) {
                sameAsData(one.get());
            }
            assertThat(network.heads().stream().filter(head -> head.contains("train.csv"))).hasSize(1);
        }
    }

    @Test
    void aFolderIsWhereItIs() {
        assertThat(sets().found("data", folder)).isEqualTo(data.toString());
        assertThat(sets().local(data.toString())).isEqualTo(data);
        refusal(() -> sets().found("nowhere", folder)).contains("nowhere is not a folder");
        refusal(() -> sets().found("no\0path", folder)).startsWith("data_dir: ");
    }

    @Test
    void aLinkThatLeavesTheFolderAtAnyTimeIsRefusedByItsName() throws IOException {
        Path outside = Files.writeString(folder.resolve("labels.csv"), "id,y\n");
        Path link = data.resolve("images/extra.csv");
        Path detour = Files.createSymbolicLink(folder.resolve("detour"), data);
        for (Path target : List.of(outside, Path.of("../../labels.csv"), folder, Path.of("../../gone"),
                Path.of("/proc/self/environ"), detour.resolve("train.csv"))) {
            Files.createSymbolicLink(link, target);
            assertThatThrownBy(() -> sets().found("data", folder)).as(target.toString()).isInstanceOf(Invalid.class)
                    .hasMessageStartingWith("data_dir: the link " + link + " leads out of the folder")
                    .hasMessageEndingWith("or remove it");
            assertThatThrownBy(this::push).as(target.toString()).isInstanceOf(Invalid.class)
                    .hasMessageContaining(link.toString());
            Files.delete(link);
        }
        assertThat(bucket.all()).isEmpty();
    }

    @Test
    void aLinkWithinTheFolderIsFineButOneToAFolderCannotBePushed() throws IOException {
        Files.createSymbolicLink(data.resolve("again.csv"), Path.of("train.csv"));
        Files.createSymbolicLink(data.resolve("images/train.csv"), data.resolve("train.csv"));
        Files.createSymbolicLink(data.resolve("circle"), Path.of("circle"));
        Files.createSymbolicLink(data.resolve("later"), Path.of("not-yet.csv"));
        Files.createSymbolicLink(folder.resolve("by-a-link"), data);

        assertThat(sets().found("data", folder)).isEqualTo(data.toString());
        assertThat(sets().found("by-a-link", folder)).isEqualTo(folder.resolve("by-a-link").toString());
        assertThat(push().files()).isEqualTo(5);

        Files.createSymbolicLink(data.resolve("pictures"), Path.of("images"));
        assertThat(sets().found("data", folder)).isEqualTo(data.toString());
        refusal(this::push).contains("pictures is a link to a folder");
    }
}
