package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.LocalServer;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.step.StepPath;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A broker as a cluster with transport encryption and OIDC has it: reached by `https` only, with a
/// certificate of the cluster's own authority, and for those who show a token (knative/eventing,
/// `pkg/auth/verifier.go`: 401 without one).
@Timeout(300)
class HttpsSinkTest {
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("run-1/phase1/script"), "asked");
    private static final Vertx VERTX = Vertx.vertx();
    private static final String TOKEN = "Bearer of-the-service-account";

    @TempDir
    private static Path folder;

    private static Certificates certificates;
    private static LocalServer server;
    private static final List<String> TAKEN = new CopyOnWriteArrayList<>();

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
        VERTX.close();
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
    void theAuthorityInTheVariableIsTrusted() throws IOException {
        publish(certificates.authority(), folder.resolve("none"), "127.0.0.1");
        assertThat(TAKEN).contains(EVENT.id());
    }

    @Test
    void soAreTheAdministratorsBundlesWhateverElseLiesThere() throws IOException {
        Path bundles = Files.createDirectories(folder.resolve("bundles"));
        // As Kubernetes mounts a ConfigMap.
        Path data = Files.createDirectories(bundles.resolve("..2026_11_22"));
        Files.writeString(data.resolve("cluster.pem"), certificates.stranger() + certificates.authority());
        Files.createSymbolicLink(bundles.resolve("cluster.pem"), data.resolve("cluster.pem"));
        assertThatCode(() -> publish("", bundles, "127.0.0.1")).doesNotThrowAnyException();
    }

    @Test
    void aBrokerWithACertificateOfAnybodyElseIsRefusedByName() {
        for (String authority : List.of("", certificates.stranger())) {
            assertThatThrownBy(() -> publish(authority, folder.resolve("none"), "127.0.0.1"))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining(server.address());
        }
    }

    @Test
    void aCertificateForAnotherHostIsRefused() {
        assertThatThrownBy(() -> publish(certificates.authority(), folder.resolve("none"), "localhost"))
                .isInstanceOf(Unavailable.class);
    }

    @Test
    void whatIsNoCertificateIsNamed() throws IOException {
        List<String> wrong =
                new ArrayList<>(List.of("nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
        for (String text : wrong) {
            assertThatThrownBy(() -> Trust.of(Map.of(Trust.VARIABLE, text), folder.resolve("none")))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("K_CA_CERTS").hasMessageContaining("PEM");
        }
        Path bundles = Files.createDirectories(folder.resolve("broken"));
        Files.writeString(bundles.resolve("company.pem"), "nonsense");
        assertThatThrownBy(() -> Trust.of(Map.of(), bundles)).isInstanceOf(Invalid.class)
                .hasMessageContaining("company.pem");
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
            assertThatThrownBy(() -> Trust.store(Map.of(Trust.FILE, wrong))).isInstanceOf(Invalid.class)
                    .hasMessageContaining(Trust.FILE);
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
        assertThatThrownBy(() -> new HttpSink(HttpSink.client(VERTX, Map.of()), URI.create("http://127.0.0.1:9/"),
                Duration.ofSeconds(1)).publish(large))
                .isInstanceOf(Invalid.class).hasMessageContaining("large").hasMessageContaining("1000000")
                .hasMessageContaining("store");
    }
}
