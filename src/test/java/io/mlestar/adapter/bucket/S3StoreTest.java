package io.mlestar.adapter.bucket;

import static io.mlestar.Refusal.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.adapter.bucket.Meddler.Fault;
import io.mlestar.app.program.upkeep.StoreProbe;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreContract;
import io.mlestar.core.store.StoreUnavailable;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract, what is a bucket's own, and what the store does when answers get lost, servers are
/// busy, or nobody answers.
@Timeout(300)
class S3StoreTest implements StoreContract {
    @AutoClose
    private static final S3Server SERVER = S3Server.start();
    private static final BucketObject OBJECTS = new BucketObject(SERVER::store);

    private static final byte[] OURS = "ours".getBytes(UTF_8);

    private Meddler network;
    private Store shaky;
    private Store neighbour;

    @Override
    public Store store() {
        return SERVER.store(SERVER.freshAddress());
    }

    /// Two parts and a bit.
    private static byte[] large() {
        byte[] content = new byte[2 * S3Create.PART + 12_345];
        new Random(11).nextBytes(content);
        return content;
    }

    @Test
    void largeContentGoesInPartsAndStays() {
        Store store = store();
        byte[] large = large();
        assertThat(store.create("streamed", new ByteArrayInputStream(large))).isTrue();
        assertThat(store.create("bytes", large)).isTrue();
        assertThat(store.create("streamed", large)).isFalse();
        assertThat(store.read("streamed").orElseThrow()).isEqualTo(large);
        assertThat(store.read("bytes").orElseThrow()).isEqualTo(large);
    }

    @Test
    void largeContentThatBreaksOffLeavesNothing() {
        Store store = store();
        InputStream broken = new InputStream() {
            private int left = S3Create.PART + 1_000;

            @Override
            public int read() throws IOException {
                if (--left < 0) {
                    throw new IOException("the disk is gone");
                }
                return 0;
            }
        };
        refusal(StoreUnavailable.class, () -> store.create("large", broken)).contains("large", "the disk is gone");
        assertThat(store.read("large")).isEmpty();
        assertThat(store.list("")).isEmpty();
    }

    @Test
    void ofManyWritersOfLargeContentExactlyOneWins() throws Exception {
        Store store = store();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Boolean> won = writers
                    .invokeAll(IntStream.range(0, 4).<Callable<Boolean>>mapToObj(writer -> () -> {
                        byte[] content = new byte[S3Create.PART + 1];
                        content[S3Create.PART] = (byte) writer;
                        return store.create("large", new ByteArrayInputStream(content));
                    }).toList()).stream().map(Future::resultNow).toList();
            int winner = won.indexOf(true);
            assertThat(won).containsOnlyOnce(true);
            assertThat(store.read("large").orElseThrow()[S3Create.PART]).isEqualTo((byte) winner);
        }
    }

    @Test
    void listsMoreThanAPage() throws Exception {
        Store store = store();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 1_050).forEach(i -> writers
                    .submit(() -> store.create("many/%04d%s".formatted(i, i % 2 == 0 ? "" : "/x"), new byte[1])));
        }
        assertThat(store.list("many")).hasSize(1_050).isSorted().contains("0000", "0001/", "1048", "1049/");
    }

    @Test
    void namesKeepTheirCharacters() {
        Store store = store();
        List<String> names = List.of("a b", "a%20b", "a&b<c>", "a+b", "a=b?c#d", "über");
        names.forEach(name -> assertThat(store.create("odd/" + name, name.getBytes(UTF_8))).as(name).isTrue());
        assertThat(store.list("odd")).containsExactlyInAnyOrderElementsOf(names);
        names.forEach(name -> assertThat(store.read("odd/" + name)).hasValue(name.getBytes(UTF_8)));
    }

    @Test
    void twoPrefixesKnowNothingOfEachOther() {
        String address = SERVER.freshAddress();
        Store one = SERVER.store(address);
        assertThat(one.create("key", new byte[1])).isTrue();
        assertThat(SERVER.store(address + "/sub").read("key")).isEmpty();
        assertThat(SERVER.store(address + "2").list("")).isEmpty();
        assertThat(one.list("")).containsExactly("key");
        assertThat(SERVER.store(address + "/").read("key")).isPresent();
        assertThat(StoreProbe.of(one).wrong()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "runs/../../outside", "/etc/passwd", "..", "runs/./x"})
    void aKeyThatLeadsOutIsRefused(String key) {
        Store store = store();
        refusal(IllegalArgumentException.class, () -> store.create(key, new byte[1])).contains(key);
        assertThatThrownBy(() -> store.read(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.list(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.address(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBucketThatIsNotThereIsNamed() {
        Store store = SERVER.store("s3://nobodys-bucket/runs");
        refusal(StoreUnavailable.class, () -> store.read("key")).contains("s3://nobodys-bucket/runs/key",
                "NoSuchBucket");
        refusal(StoreUnavailable.class, () -> store.create("key", new byte[1])).contains("NoSuchBucket");
        refusal(StoreUnavailable.class, () -> store.list("runs")).contains("NoSuchBucket");
    }

    @Test
    void aRefusedKeyIsNamed() {
        S3Settings settings = S3Settings.of(SERVER.freshAddress(), SERVER.environment());
        Store store = new S3Store(settings, () -> S3Server.credentials("somebody", "else"), S3Clients.Patience.USUAL);
        refusal(StoreUnavailable.class, () -> store.create("key", new byte[1])).contains("403");
    }

    @BeforeEach
    void stores() throws IOException {
        network = new Meddler(SERVER.endpoint());
        String address = SERVER.freshAddress();
        shaky = S3Server.store(address, network.endpoint(), S3Server.PATIENCE);
        neighbour = SERVER.store(address);
    }

    @AfterEach
    void closeNetwork() {
        network.close();
    }

    /// The same store for somebody else's patience.
    private Store anywhere(S3Clients.Patience patience) {
        return S3Server.store(shaky.address("x").replaceFirst("/x$", ""), network.endpoint(), patience);
    }

    private long seen(String start) {
        return network.heads().stream().filter(head -> head.startsWith(start)).count();
    }

    @Test
    void aWriteWhoseAnswerWasLostIsOurs() {
        network.with("PUT", new Fault.LostAnswer());
        assertThat(shaky.create("key", OURS)).isTrue();
        assertThat(seen("PUT")).as("it was sent again").isEqualTo(2);
        assertThat(neighbour.read("key")).hasValue(OURS);
        assertThat(shaky.create("key", OURS)).as("a second writer with equal bytes").isFalse();
    }

    @Test
    void anotherWriterWithEqualBytesIsNotTakenForUs() {
        network.with("PUT", new Fault.Meanwhile(() -> assertThat(neighbour.create("key", OURS)).isTrue()));
        assertThat(shaky.create("key", OURS)).isFalse();
    }

    @Test
    void anotherWriterBetweenTwoTriesWins() {
        network.with("PUT", new Fault.Refusal(503, "SlowDown"),
                new Fault.Meanwhile(() -> neighbour.create("key", "theirs".getBytes(UTF_8))));
        assertThat(shaky.create("key", OURS)).isFalse();
        assertThat(shaky.read("key")).hasValue("theirs".getBytes(UTF_8));
    }

    @Test
    void aCompletionWhoseAnswerWasLostIsOurs() {
        byte[] large = new byte[S3Create.PART + 5];
        new Random(3).nextBytes(large);
        Store patient = anywhere(S3Server.PATIENT);
        network.with("POST /", new Fault.Meanwhile(() -> {}), new Fault.LostAnswer());
        assertThat(patient.create("large", new ByteArrayInputStream(large))).isTrue();
        assertThat(seen("POST")).as("one to begin, two to complete").isEqualTo(3);
        assertThat(neighbour.read("large").orElseThrow()).isEqualTo(large);
    }

    @Test
    void aCompletionBesideAnotherWriterIsNot() {
        Store patient = anywhere(S3Server.PATIENT);
        network.with("POST /", new Fault.Meanwhile(() -> {}),
                new Fault.Meanwhile(() -> neighbour.create("large", OURS)));
        assertThat(patient.create("large", new ByteArrayInputStream(new byte[S3Create.PART + 5]))).isFalse();
        assertThat(neighbour.read("large")).hasValue(OURS);
        assertThat(seen("DELETE")).as("the parts are given up").isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"503, SlowDown", "500, InternalError", "409, ConditionalRequestConflict", "429, TooManyRequests"})
    void aBusyServerIsAskedAgain(int status, String code) {
        Store patient = anywhere(S3Server.PATIENT);
        Fault refusal = new Fault.Refusal(status, code);
        network.with("PUT", refusal, refusal);
        assertThat(patient.create("key", OURS)).isTrue();
        assertThat(seen("PUT")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"503, SlowDown, 5", "409, ConditionalRequestConflict, 10"})
    void aServerThatStaysBusyIsOutOfReach(int status, String code, int tries) {
        Store patient = anywhere(S3Server.PATIENT);
        network.with("PUT", Collections.nCopies(50, new Fault.Refusal(status, code)).toArray(Fault[]::new));
        refusal(StoreUnavailable.class, () -> patient.create("key", OURS)).contains(code);
        assertThat(seen("PUT")).isEqualTo(tries);
    }

    @Test
    void aServerThatDoesNotAnswerIsGivenUp() {
        network.with("GET", Collections.nCopies(20, new Fault.Silence()).toArray(Fault[]::new));
        Store brief = anywhere(new S3Clients.Patience(Duration.ofSeconds(2), Duration.ofMillis(50),
                Duration.ofSeconds(2), Duration.ofSeconds(10), S3Server.PAUSES));
        Instant begin = Instant.now();
        refusal(StoreUnavailable.class, () -> brief.read("key")).contains("/key");
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aSilenceIsAskedAgain() {
        neighbour.create("key", OURS);
        network.with("GET", new Fault.Silence());
        assertThat(shaky.read("key")).hasValue(OURS);
    }

    @Test
    void halfAnAnswerAndHalfAListAreNeverTakenForWholeOnes() {
        byte[] content = new byte[100_000];
        new Random(5).nextBytes(content);
        neighbour.create("key", content);
        network.with("GET", new Fault.HalfAnswer(), new Fault.HalfAnswer());
        assertThat(shaky.read("key").orElseThrow()).isEqualTo(content);
        assertThat(seen("GET")).isEqualTo(3);

        neighbour.create("folder/a", OURS);
        neighbour.create("folder/b", OURS);
        network.with("GET", new Fault.HalfAnswer());
        assertThat(shaky.list("folder")).containsExactly("a", "b");
    }

    @Test
    void anObjectIsReadByItsAddressAndOneThatIsNotThereOrTooLargeIsNamed() {
        String place = SERVER.freshAddress();
        SERVER.store(place).create("tasks/big.json", "{\"description\": \"...\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(OBJECTS.read("task_ref", place + "/tasks/big.json"), StandardCharsets.UTF_8))
                .isEqualTo("{\"description\": \"...\"}");
        refusal(() -> OBJECTS.read("task_ref", place + "/none.json"))
                .contains("task_ref: there is no object " + place + "/none.json");
        SERVER.store(place).create("huge.json", new byte[(4 << 20) + 1]);
        refusal(() -> OBJECTS.read("config_ref", place + "/huge.json")).contains("config_ref", "at most 4194304 bytes");
    }

    @Test
    void aBucketThatCannotBeReachedMayBeReachedLater() {
        S3Server gone = S3Server.start();
        String address = gone.freshAddress() + "/task.json";
        BucketObject unreachable = new BucketObject(gone::store);
        gone.close();
        assertThatThrownBy(() -> unreachable.read("task_ref", address)).isInstanceOf(StoreUnavailable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "task.json", "/etc/passwd", "file:///etc/passwd", "s3://bucket", "s3://bucket/",
        "s3:///key", "s3://mlestar/../other/key",
        "http://host/key"})
    void whatIsNoAddressOfAnObjectIsRefused(String address) {
        assertThatThrownBy(() -> OBJECTS.read("task_ref", address)).isInstanceOf(Invalid.class);
    }
}
