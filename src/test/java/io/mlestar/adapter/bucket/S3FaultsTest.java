package io.mlestar.adapter.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.adapter.bucket.Meddler.Fault;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the S3 store does when answers get lost, servers are busy, or nobody answers.
@Timeout(300)
class S3FaultsTest {
    private static final byte[] OURS = "ours".getBytes(UTF_8);
    @AutoClose
    private static final S3Server SERVER = S3Server.start();

    private Meddler network;
    private Store store;
    private Store neighbour;

    @BeforeEach
    void stores() throws IOException {
        network = new Meddler(SERVER.endpoint());
        String address = SERVER.freshAddress();
        store = S3Server.store(address, network.endpoint(), S3Server.PATIENCE);
        neighbour = SERVER.store(address);
    }

    @AfterEach
    void closeNetwork() {
        network.close();
    }

    /// The same store for somebody else's patience.
    private Store anywhere(S3Clients.Patience patience) {
        return S3Server.store(store.address("x").replaceFirst("/x$", ""), network.endpoint(), patience);
    }

    private long seen(String start) {
        return network.heads().stream().filter(head -> head.startsWith(start)).count();
    }

    @Test
    void aWriteWhoseAnswerWasLostIsOurs() {
        network.with("PUT", new Fault.LostAnswer());
        assertThat(store.create("key", OURS)).isTrue();
        assertThat(seen("PUT")).as("it was sent again").isEqualTo(2);
        assertThat(neighbour.read("key")).hasValue(OURS);
        assertThat(store.create("key", OURS)).as("a second writer with equal bytes").isFalse();
    }

    @Test
    void anotherWriterWithEqualBytesIsNotTakenForUs() {
        network.with("PUT", new Fault.Meanwhile(() -> assertThat(neighbour.create("key", OURS)).isTrue()));
        assertThat(store.create("key", OURS)).isFalse();
    }

    @Test
    void anotherWriterBetweenTwoTriesWins() {
        network.with("PUT", new Fault.Refusal(503, "SlowDown"),
                new Fault.Meanwhile(() -> neighbour.create("key", "theirs".getBytes(UTF_8))));
        assertThat(store.create("key", OURS)).isFalse();
        assertThat(store.read("key")).hasValue("theirs".getBytes(UTF_8));
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

    @Test
    void aServerThatStaysBusyIsOutOfReach() {
        Store patient = anywhere(S3Server.PATIENT);
        network.with("PUT", Collections.nCopies(20, new Fault.Refusal(503, "SlowDown")).toArray(Fault[]::new));
        assertThatThrownBy(() -> patient.create("key", OURS)).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("SlowDown");
        assertThat(seen("PUT")).isEqualTo(5);
    }

    @Test
    void aConflictThatStaysIsOutOfReach() {
        network.with("PUT",
                Collections.nCopies(50, new Fault.Refusal(409, "ConditionalRequestConflict")).toArray(Fault[]::new));
        assertThatThrownBy(() -> store.create("key", OURS)).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("ConditionalRequestConflict");
        assertThat(seen("PUT")).isEqualTo(10);
    }

    @Test
    void aServerThatDoesNotAnswerIsGivenUp() {
        network.with("GET", Collections.nCopies(20, new Fault.Silence()).toArray(Fault[]::new));
        Store brief = anywhere(new S3Clients.Patience(Duration.ofSeconds(2), Duration.ofMillis(50),
                Duration.ofSeconds(2), Duration.ofSeconds(10),
                S3Server.PAUSES));
        Instant begin = Instant.now();
        assertThatThrownBy(() -> brief.read("key")).isInstanceOf(StoreUnavailable.class).hasMessageContaining("/key");
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aSilenceIsAskedAgain() {
        neighbour.create("key", OURS);
        network.with("GET", new Fault.Silence());
        assertThat(store.read("key")).hasValue(OURS);
    }

    @Test
    void halfAnAnswerIsNeverTakenForAWholeOne() {
        byte[] content = new byte[100_000];
        new Random(5).nextBytes(content);
        neighbour.create("key", content);
        network.with("GET", new Fault.HalfAnswer(), new Fault.HalfAnswer());
        assertThat(store.read("key").orElseThrow()).isEqualTo(content);
        assertThat(seen("GET")).isEqualTo(3);
    }

    @Test
    void halfAListIsNeverTakenForAWholeOne() {
        neighbour.create("folder/a", OURS);
        neighbour.create("folder/b", OURS);
        network.with("GET", new Fault.HalfAnswer());
        assertThat(store.list("folder")).containsExactly("a", "b");
    }
}
