package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    record Inner(int number) {}

    record Outer(String someText, Instant at, List<Inner> inner, Optional<String> maybe) {
        boolean isEmpty() {
            return someText == null;
        }
    }

    @Test
    @Requirement("REQ-DM-048")
    void namesAreSnakeCaseNullsAreWrittenAndTimesAreIso() {
        Outer outer = new Outer(null, Instant.EPOCH, List.of(new Inner(1)), Optional.empty());

        assertThat(new String(Json.bytes(outer), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"some_text\":null,\"at\":\"1970-01-01T00:00:00Z\",\"inner\":[{\"number\":1}],\"maybe\":null}");
        assertThat(Json.read(Json.parse(Json.bytes(outer)), Outer.class)).isEqualTo(outer);
    }

    @Test
    void unknownFieldsAreIgnoredOnlyWhereTheProgramWrote() {
        assertThat(Json.read(Json.parse("{\"number\": 1, \"colour\": 2}"), Inner.class)).isEqualTo(new Inner(1));
        assertThatThrownBy(
                () -> Json.readStrictly(Json.parse("{\"inner\": [{\"number\": 1, \"colour\": 2}]}"), Outer.class))
                .isInstanceOf(Invalid.class).hasMessage("unknown field inner.[0].colour; known are number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\": 1} trailing", "{} {}", "{'a': 1}", "nonsense"})
    void textThatIsNotExactlyOneValueIsRefused(String text) {
        assertThatThrownBy(() -> Json.read(Json.parse(text), Inner.class)).isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"number\": null}", "{\"number\": \"x\"}", "{\"number\": {}}", "{\"number\": 1.5}"})
    void wholeNumbersAreNeitherMissingNorCut(String text) {
        assertThatThrownBy(() -> Json.read(Json.parse(text), Inner.class))
                .isInstanceOf(Invalid.class).hasMessageContaining("number");
    }

    @Test
    void halfACharacterIsStillWritable() {
        // A model's answer cut at a fixed length may end within a surrogate pair.
        assertThat(Json.parse(Json.bytes(List.of("ab\ud83d"))).get(0).asText()).startsWith("ab");
    }
}
