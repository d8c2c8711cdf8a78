package io.mlestar.adapter.broker;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.FreePort;
import io.mlestar.LocalServer;
import io.mlestar.Waiting;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import module java.base;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An event by HTTP and by HTTPS, with the authorities that an operator may name.
@Timeout(300)
class HttpSinkTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final HttpClient CLIENT = HttpSink.client(VERTX, Map.of());
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("run-1/phase1/script"), "asked");
    private static final String TOKEN = "Bearer of-the-service-account";

    /// Ids of the events sent to the broker that is only reached through encryption.
    private static final List<String> TAKEN = new CopyOnWriteArrayList<>();

    @TempDir
    private static Path folder;

    private static Certificates certificates;
    private static LocalServer server;

    @BeforeAll
    static void start() throws Exception {
        certificates = Certificates.make(folder);
        server = LocalServer.startEncrypted(certificates.ofServer(), exchange -> {
            boolean known = TOKEN.equals(exchange.getRequestHeaders().getFirst("Authorization"));
            if (known) {
                TAKEN.add(exchange.getRequestHeaders().getFirst("ce-id"));
            }
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(known ? 202 : 401, -1);
            exchange.close();
        });
    }

    @AfterAll
    static void stop() {
        server.close();
        CLIENT.close();
        VERTX.close();
    }

    private static HttpSink sink(URI address) {
        return new HttpSink(CLIENT, address, Waiting.MOST);
    }

    @Test
    void sendsHeadersAndData() throws Exception {
        try (Receiver broker = new Receiver(event -> 202)) {
            sink(broker.address()).publish(EVENT);
            Receiver.Received event = broker.next();
            assertThat(event.method()).isEqualTo("POST");
            assertThat(event.headers()).containsAllEntriesOf(EVENT.headers()).doesNotContainKeys("Upgrade",
                    "HTTP2-Settings");
            assertThat(event.data()).isEqualTo(EVENT.data());
            assertThat(broker.waiting()).isZero();
        }
    }

    @Test
    void showsTheClustersTokenToTheBrokerAsItIsNow() throws Exception {
        Path token = folder.resolve("renewed-token");
        try (Receiver broker = new Receiver(event -> 202)) {
            HttpSink sink = new HttpSink(CLIENT, broker.address(), Waiting.MOST, token);
            sink.publish(EVENT);
            assertThat(broker.next().headers()).doesNotContainKey("Authorization");
            Files.writeString(token, "first\n");
            sink.publish(EVENT);
            assertThat(broker.next().headers()).containsEntry("Authorization", "Bearer first");
            Files.writeString(token, "renewed");
            sink.publish(EVENT);
            assertThat(broker.next().headers()).containsEntry("Authorization", "Bearer renewed");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 404, 429, 500, 503})
    void anythingElseIsARefusalThatNamesTheBroker(int status) throws IOException {
        try (Receiver broker = new Receiver(event -> status)) {
            refusal(Unavailable.class, () -> sink(broker.address()).publish(EVENT))
                    .contains(broker.address().toString(), Integer.toString(status));
            assertThat(broker.waiting()).isOne();
        }
    }

    @Test
    void aBrokerThatIsNotThereIsNamed() throws IOException {
        URI gone = URI.create("http://127.0.0.1:" + FreePort.any() + "/");
        refusal(Unavailable.class, () -> sink(gone).publish(EVENT)).contains(gone.toString());
    }

    @Test
    void aBrokerThatNeverAnswersIsGivenUpAndAnInterruptIsPassedOn() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Receiver broker = new Receiver(event -> answerAfter(end))) {
            HttpSink impatient = new HttpSink(CLIENT, broker.address(), Duration.ofMillis(200));
            assertThatThrownBy(() -> impatient.publish(EVENT)).isInstanceOf(Unavailable.class);
            broker.next();
            Thread sender = Thread.ofPlatform().unstarted(() -> {
                assertThatThrownBy(() -> sink(broker.address()).publish(EVENT)).isInstanceOf(Unavailable.class);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                end.countDown();
            });
            sender.start();
            broker.next();
            sender.interrupt();
            sender.join();
            assertThat(end.getCount()).as("the sender saw what it should").isZero();
        }
    }

    private static int answerAfter(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 202;
    }

    private static void publish(String authority, Path bundles, String host) throws IOException {
        HttpClient client = HttpSink.client(VERTX, Trust.of(Map.of(Trust.VARIABLE, authority), bundles));
        Path token = Files.writeString(folder.resolve("token"), TOKEN.substring("Bearer ".length()));
        try {
            new HttpSink(client, URI.create("https://" + host + ":" + server.port() + "/"),
                    Duration.ofSeconds(120), token).publish(EVENT);
        } finally {
            client.close();
        }
    }

    @Test
    void onlyTheAuthorityInTheVariableIsTrustedForTheHostThatItVouchesFor() throws IOException {
        Path none = folder.resolve("none");
        for (String authority : List.of("", certificates.stranger())) {
            refusal(Unavailable.class, () -> publish(authority, none, "127.0.0.1")).contains(server.address());
        }
        assertThatThrownBy(() -> publish(certificates.authority(), none, "localhost")).isInstanceOf(Unavailable.class);
        publish(certificates.authority(), none, "127.0.0.1");
        assertThat(TAKEN).contains(EVENT.id());
    }

    @Test
    void soAreTheAdministratorsBundlesWhateverElseLiesThere() throws IOException {
        Path bundles = Files.createDirectories(folder.resolve("bundles"));
        // Kubernetes mounts a ConfigMap like this.
        Path data = Files.createDirectories(bundles.resolve("..2026_11_22"));
        Files.writeString(data.resolve("cluster.pem"), certificates.stranger() + certificates.authority());
        Files.createSymbolicLink(bundles.resolve("cluster.pem"), data.resolve("cluster.pem"));
        assertThatCode(() -> publish("", bundles, "127.0.0.1")).doesNotThrowAnyException();
    }

    @Test
    void whatIsNoCertificateIsNamed() throws IOException {
        List<String> wrong =
                new ArrayList<>(List.of("nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
        for (String text : wrong) {
            refusal(() -> Trust.of(Map.of(Trust.VARIABLE, text), folder.resolve("none"))).contains("K_CA_CERTS", "PEM");
        }
        Path bundles = Files.createDirectories(folder.resolve("broken"));
        Files.writeString(bundles.resolve("company.pem"), "nonsense");
        refusal(() -> Trust.of(Map.of(), bundles)).contains("company.pem");
        assertThat(Trust.of(Map.of(), folder.resolve("none"))).isEmpty();
    }

    @Test
    void theOperatorsFileIsTrustedBesideTheUsualAuthorities() throws Exception {
        Path file =
                Files.writeString(folder.resolve("company.pem"), certificates.stranger() + certificates.authority());
        KeyStore store = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(Trust.store(Map.of(Trust.FILE, file.toString())).orElseThrow())) {
            store.load(in, null);
        }
        TrustManagerFactory usual = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        usual.init((KeyStore) null);
        assertThat(store.size())
                .isEqualTo(((X509TrustManager) usual.getTrustManagers()[0]).getAcceptedIssuers().length + 2);
        assertThat(Trust.store(Map.of())).isEmpty();
        for (String wrong : List.of(folder.resolve("none.pem").toString(),
                Files.writeString(folder.resolve("empty.pem"), "").toString(), "a\0b")) {
            refusal(() -> Trust.store(Map.of(Trust.FILE, wrong))).contains(Trust.FILE);
        }
    }

    @Test
    void anAuthorityOfTheOperatorsMayVouchForTheBrokerToo() throws Exception {
        Path file = Files.writeString(folder.resolve("operator.pem"), certificates.authority());
        try {
            Trust.everywhere(Map.of(Trust.FILE, file.toString()));
            assertThatCode(() -> publish("", folder.resolve("none"), "127.0.0.1")).doesNotThrowAnyException();
        } finally {
            System.clearProperty("javax.net.ssl.trustStore");
            System.clearProperty("javax.net.ssl.trustStoreType");
        }
    }

    @Test
    void anEventThatNoBrokerWouldTakeIsRefusedBeforeItIsSent() {
        Event large = new Event(Event.RUN_FAILED, "large", "run", Json.object().put("error", "x".repeat(1 << 20)));
        refusal(() -> new HttpSink(HttpSink.client(VERTX, Map.of()), URI.create("http://127.0.0.1:9/"),
                Duration.ofSeconds(1)).publish(large)).contains("large", "1000000", "store");
    }
}
