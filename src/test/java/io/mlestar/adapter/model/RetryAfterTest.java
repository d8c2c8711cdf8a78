package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.model.LanguageModelTest.Provider;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each server says in its own way how long it wants to be left alone.
class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    /// As Gemini answers who asks too often.
    private static final String GOOGLE =
            """
                    {"error": {"code": 429, "message": "You exceeded your current quota.", "status": "RESOURCE_EXHAUSTED", "details": [
                     {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaMetric": "m", "quotaId": "PerMinute"}]},
                     {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "45.837906927s"}]}}""";

    private static Optional<Duration> asked(String headers, String body) {
        return RetryAfter.of(HttpHeaders.of(Arrays.stream(headers.split(";")).filter(header -> header.contains("="))
                .collect(Collectors.toMap(header -> header.split("=")[0].strip(),
                        header -> List.of(header.split("=")[1].strip()))),
                (name, value) -> true),
                body, NOW);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    retry-after = 9                                                                     | PT9S
                    retry-after = 0.5                                                                   | PT0.5S
                    Retry-After = Sun, 22 Nov 2026 10:01:30 GMT                                         | PT1M30S
                    Retry-After = Sun, 22 Nov 2026 09:00:00 GMT                                         | PT0S
                    Retry-After = Sun, 22 Nov 2026 11:00:02 GMT; Date = Sun, 22 Nov 2026 11:00:00 GMT   | PT2S
                    Retry-After = Sun, 22 Nov 2026 08:00:02 GMT; Date = Sun, 22 Nov 2026 08:00:00 GMT   | PT2S
                    Retry-After = Sun, 22 Nov 2026 10:00:02 GMT; Date = yesterday                       | PT2S
                    retry-after = 2; Date = Sun, 22 Nov 2026 11:00:00 GMT                               | PT2S
                    x-ratelimit-remaining = 0; x-ratelimit-reset = 1795345240; Date = Sun, 22 Nov 2026 11:00:00 GMT | PT40S
                    retry-after = 3; retry-after-ms = 2750                                              | PT2.75S
                    retry-after = 7; x-ratelimit-remaining-tokens = 0; x-ratelimit-reset-tokens = 6m0s  | PT7S
                    x-ratelimit-remaining-tokens = 0; x-ratelimit-reset-tokens = 6m0s                   | PT6M
                    x-ratelimit-remaining-requests = 0; x-ratelimit-reset-requests = 2m59.56s           | PT2M59.56S
                    x-ratelimit-remaining-requests = 0; x-ratelimit-reset-requests = 17ms               | PT0.017S
                    x-ratelimit-remaining-requests = 5; x-ratelimit-reset-requests = 1h0m0s             | ''
                    anthropic-ratelimit-requests-remaining = 0; anthropic-ratelimit-requests-reset = 2026-11-22T10:00:20Z; \
                    anthropic-ratelimit-input-tokens-remaining = 0; anthropic-ratelimit-input-tokens-reset = 2026-11-22T10:00:45Z; \
                    anthropic-ratelimit-output-tokens-remaining = 9; anthropic-ratelimit-output-tokens-reset = 2026-11-22T11:00:00Z | PT45S
                    ratelimitbysize-remaining = 0; ratelimitbysize-reset = 28                           | PT28S
                    x-ratelimit-remaining = 0; x-ratelimit-reset = 1795341640                           | PT40S
                    x-ratelimit-remaining = 0; x-ratelimit-reset = 1795341640500                        | PT40.5S
                    retry-after = soon                                                                  | ''
                    retry-after = NaN                                                                   | ''
                    retry-after = -5                                                                    | ''
                    ''                                                                                  | ''""")
    void headersSayItAsSecondsDurationsOrTimes(String headers, String expected) {
        assertThat(asked(headers, "{}"))
                .isEqualTo(expected.isEmpty() ? Optional.empty() : Optional.of(Duration.parse(expected)));
    }

    @Test
    void googleSaysItInTheBody() {
        assertThat(asked("", GOOGLE)).contains(Duration.ofNanos(45_837_906_927L));
        assertThat(asked("", "[" + GOOGLE + "]")).as("where it speaks as OpenAI does")
                .contains(Duration.ofNanos(45_837_906_927L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "busy", "[]", "[7]", "{\"error\": \"busy\"}", "{\"error\": {\"details\": 7}}",
        "{\"error\": {\"details\": [null, {}]}}",
        "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.RetryInfo\"}]}}",
        "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.RetryInfo\", \"retryDelay\": {\"seconds\": 3}}]}}"})
    void aBodyThatSaysNothingOfItIsNoMatter(String body) {
        assertThat(asked("", body)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999999", "999999999h999999999h", "Fri, 31 Dec 9999 23:59:59 GMT",
        "9999-12-31T23:59:59Z", "604800"})
    void nobodyIsWaitedForLongerThanADay(String value) {
        assertThat(asked("retry-after = " + value, "")).contains(RetryAfter.LONGEST);
    }

    @Test
    void whatTheBodyAsksForIsWaitedFor() throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("fine"))) {
            server.plan(new Fault.Foreign(429, "application/json", GOOGLE));
            List<Duration> pauses = new ArrayList<>();
            assertThat(Provider.GEMINI.model(server, pauses::add, ModelCallListener.NONE)
                    .ask(LanguageModelTest.question()).text()).isEqualTo("fine");
            assertThat(pauses).containsExactly(Duration.ofNanos(45_837_906_927L));
        }
    }
}
