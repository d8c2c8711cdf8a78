package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.adapter.model.provider.ModelProvider;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The time that a server which refused a request asks to wait. The first of these counts:
///
/// | field | servers | form |
/// |---|---|---|
/// | `retry-after-ms` | OpenAI, Azure | milliseconds |
/// | `retry-after` | Anthropic, OpenAI, Groq, gateways (RFC 9110, section 10.2.3) | seconds, or a date |
/// | `retryDelay` of a `google.rpc.RetryInfo` in the body's `error.details` | Google, which sends no header | `34.4s` |
/// | the reset of whichever limit has nothing remaining, e.g. `anthropic-ratelimit-tokens-reset`, `x-ratelimit-reset-tokens`, `ratelimitbysize-reset` | Anthropic, OpenAI, Groq, Mistral, OpenRouter | a time (RFC 3339, or since 1970), or a duration (`6m0s`, seconds) |
final class RetryAfter {
    /// A server that asks for more is as good as gone.
    static final Duration LONGEST = Duration.ofDays(1);

    private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";
    private static final String REMAINING = "remaining";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}(\\.\\d{1,9})?(h|ms|m|s))+");
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(h|ms|m|s)");
    /// Larger numbers are no seconds from now but a time: in seconds since 1970, or in
    /// milliseconds.
    private static final double A_TIME = 1e9;
    private static final double IN_MILLIS = 1e12;

    private RetryAfter() {}

    /// Empty if the server gives no time that can be read; at most [#LONGEST]. A date is reckoned
    /// by the server's own clock, if the answer says what that shows: it may be an hour off.
    ///
    /// @param here the time by the clock of this machine
    static Optional<Duration> of(HttpHeaders headers, String body, Instant here) {
        Instant now = headers.firstValue("date").flatMap(RetryAfter::date).orElse(here);
        return headers.firstValue("retry-after-ms")
                .filter(ms -> NUMBER.matcher(ms).matches())
                .map(ms -> seconds(Double.parseDouble(ms) / 1e3))
                .or(() -> headers.firstValue("retry-after").flatMap(value -> read(value, now)))
                .or(() -> retryInfo(body, now))
                .or(() -> resets(headers).flatMap(reset -> read(reset, now).stream())
                        .max(Comparator.naturalOrder()))
                .map(RetryAfter::bounded);
    }

    private static Duration bounded(Duration pause) {
        if (pause.isNegative()) {
            return Duration.ZERO;
        }
        return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }

    /// In the OpenAI-compatible interface the error is the only element of a list.
    private static Optional<Duration> retryInfo(String body, Instant now) {
        JsonNode error = ModelProvider.parsed(body);
        return ModelProvider
                .stream((error.isArray() ? error.path(0) : error).path("error").path("details"))
                .filter(detail -> detail.path("@type").asText().equals(RETRY_INFO))
                .findFirst()
                .flatMap(info -> read(info.path("retryDelay").asText(), now));
    }

    /// The times at which limits that are used up are reset.
    private static Stream<String> resets(HttpHeaders headers) {
        return headers.map()
                .entrySet()
                .stream()
                .filter(header -> header.getKey().contains(REMAINING)
                        && header.getValue().getFirst().matches("0+(\\.0+)?"))
                .flatMap(header -> headers.firstValue(header.getKey().replace(REMAINING, "reset"))
                        .stream());
    }

    private static Optional<Duration> read(String value, Instant now) {
        String text = value.strip();
        if (NUMBER.matcher(text).matches()) {
            double number = Double.parseDouble(text);
            return Optional.of(number < A_TIME
                    ? seconds(number)
                    : Duration.between(now, Instant
                            .ofEpochMilli((long) (number < IN_MILLIS ? number * 1e3 : number))));
        }
        if (DURATION.matcher(text).matches()) {
            double sum = 0;
            for (Matcher part = PART.matcher(text); part.find();) {
                sum += Double.parseDouble(part.group(1)) * switch (part.group(2)) {
                    case "h" -> 3600;
                    case "m" -> 60;
                    case "s" -> 1;
                    default -> 1e-3;
                };
            }
            return Optional.of(seconds(sum));
        }
        return time(DateTimeFormatter.ISO_OFFSET_DATE_TIME, text).or(() -> date(text))
                .map(then -> Duration.between(now, then));
    }

    private static Optional<Instant> date(String text) {
        return time(DateTimeFormatter.RFC_1123_DATE_TIME, text.strip());
    }

    private static Optional<Instant> time(DateTimeFormatter form, String text) {
        try {
            return Optional.of(form.parse(text, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
