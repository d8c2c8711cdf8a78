package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.FreePort;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A wrong address, key or name is told before a run leans on it, in one line.
@Timeout(300)
class ProbeTest {
    private static Probe probe(Provider provider, String url) {
        return new Models(provider.environment(url)).probe(provider.modelName());
    }

    private static String wrong(Provider provider, String url) {
        Probe probe = probe(provider, url);
        assertThat(probe).isInstanceOf(Probe.Wrong.class);
        String said = ((Probe.Wrong) probe).said();
        assertThat(said).startsWith("model " + provider.modelName() + " cannot be used: ").doesNotContain("\n",
                "Exception");
        return said;
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatWorksIsAskedOnceAndForLittle(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("ok"))) {
            assertThat(probe(provider, server.url())).isInstanceOf(Probe.Answered.class);
            assertThat(server.received()).singleElement().satisfies(request -> {
                assertThat(request.body().toString()).contains("256");
                assertThat(request.header("x-mlestar-agent")).contains("probe");
            });
            assertThat(server.violations()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWillNotPassIsWrongAndToldWithWhatToDo(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(Fault.status(401));
            assertThat(wrong(provider, server.url())).contains(server.url(), "answered 401", "check the API key")
                    .doesNotContain(FakeProvider.KEY);
            server.plan(Fault.status(403));
            assertThat(wrong(provider, server.url())).contains("answered 403");
            server.plan(Fault.status(404));
            assertThat(wrong(provider, server.url())).contains("answered 404",
                    "is the name of the model right, and " + provider + "_BASE_URL?");
            for (int status : new int[] {200, 404, 405, 501}) {
                server.plan(new Fault.Foreign(status, "text/html", "<!DOCTYPE html><html>Welcome</html>"));
                assertThat(wrong(provider, server.url()))
                        .contains("with HTML, not JSON: is " + provider + "_BASE_URL right?");
            }
            server.plan(new Fault.Foreign(200, "text/plain", "It works!"));
            assertThat(wrong(provider, server.url()))
                    .contains("something that is not JSON: is " + provider + "_BASE_URL right?");
            assertThat(server.received()).as("one try each").hasSize(8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedPortAndAnUnknownHostAreWrong(Provider provider) throws IOException {
        String url = "http://127.0.0.1:" + FreePort.any();
        assertThat(wrong(provider, url)).contains("connection refused at " + url,
                "is " + provider + "_BASE_URL right?");
        assertThat(wrong(provider, "http://no-such-host.invalid")).contains("no host no-such-host.invalid");
    }

    @ParameterizedTest
    @EnumSource
    void aProviderThatIsOnlyBusyIsNotWrong(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            for (int status : new int[] {429, 500, 503, 529}) {
                server.plan(Fault.status(status));
                assertThat(probe(provider, server.url())).isInstanceOf(Probe.Busy.class).asString()
                        .contains(provider.modelName(), server.url(), "answered " + status);
            }
            assertThat(server.received()).hasSize(4);
        }
    }

    @Test
    void aRecordingIsNotAsked() {
        assertThat(new Models(Map.of()).probe("recorded:src/examples/bird-strikes/answers"))
                .isEqualTo(new Probe.NotAsked());
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8080", "127.0.0.1:8080/v1", "/v1", "ftp://host/", "http://", "http:///v1",
        "http://a b/"})
    @Requirement("REQ-OR-002")
    void anAddressWithoutSchemeOrHostIsRefusedByItsName(String address) {
        for (Provider provider : Provider.values()) {
            Map<String, String> environment = new HashMap<>(provider.environment("http://127.0.0.1"));
            environment.put(provider + "_BASE_URL", address);
            assertThatExceptionOfType(Invalid.class).isThrownBy(() -> new Models(environment).get(provider.modelName()))
                    .withMessageStartingWith(provider + "_BASE_URL is \"" + address
                            + "\", which is not a valid URL; expected e.g. http");
        }
    }

    @Test
    @Requirement("REQ-OR-046")
    void aKeyThatIsMissingOrCannotBeOneIsNamedAndNotShown() {
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> new Models(Map.of()).get("anthropic:made-up"))
                .withMessage("ANTHROPIC_API_KEY is not set; model anthropic:made-up needs it");
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> new Models(Map.of("OPENAI_API_KEY", "schl\u00fcssel")).get("openai:made-up"))
                .withMessageContaining("OPENAI_API_KEY contains a character").withMessageNotContaining("schl");
    }
}
