package io.mlestar.adapter.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.LoopbackProxy;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.store.Store;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

class S3SettingsTest {
    @Test
    void bareSettingsAreThoseOfAws() {
        assertThat(S3Settings.of("s3://bucket", Map.of())).isEqualTo(
                new S3Settings("bucket", "", Optional.empty(), Optional.empty(), false, ProxyRules.NONE));
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
        assertThatThrownBy(() -> S3Settings.of(address, Map.of())).isInstanceOf(Invalid.class)
                .hasMessageContaining(address)
                .hasMessageContaining("s3://BUCKET");
    }

    @Test
    void aServerOfOnesOwnIsSpokenToByPath() {
        S3Settings settings = S3Settings.of("s3://bucket/x", Map.of("AWS_ENDPOINT_URL", "http://minio:9000"));
        assertThat(settings.endpoint()).hasValue(URI.create("http://minio:9000"));
        assertThat(settings.pathStyle()).isTrue();
        assertThat(settings.region()).hasValue("us-east-1");
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
        assertThatThrownBy(() -> S3Settings.of("s3://bucket", Map.of(variable, value))).isInstanceOf(Invalid.class)
                .hasMessageContaining(value);
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
