package io.mlestar.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
    private static List<String> names(String names) {
        return names == null ? List.of() : List.of(names.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            127.0.0.1   |          | localhost:8080        | true
            127.0.0.1   |          | LocalHost             | true
            127.0.0.1   |          | 127.0.0.1:9999        | true
            127.0.0.1   |          | [::1]:8080            | true
            127.0.0.1   |          | evil.test:8080        | false
            127.0.0.1   |          | localhost.evil.test   | false
            127.0.0.1   |          | 127.0.0.1.evil.test   | false
            127.0.0.1   |          | evil.test@localhost   | false
            127.0.0.1   |          | localhost:8080:1      | false
            127.0.0.1   |          | localhost.            | false
            127.0.0.1   |          | 0.0.0.0:8080          | false
            127.0.0.1   |          | 127.1                 | false
            127.0.0.1   |          | 2130706433            | false
            127.0.0.1   |          | [::ffff:127.0.0.1]    | false
            127.0.0.1   |          | 192.168.0.7           | false
            127.0.0.1   |          | ''                    | false
            127.0.0.1   |          |                       | false
            127.0.0.1   | ml.test  | ml.test               | true
            127.0.0.1   | ml.test  | ML.test:444           | true
            127.0.0.1   | ml.test  | a.ml.test             | false
            127.0.0.5   |          | 127.0.0.5:80          | true
            ::1         |          | [::1]                 | true
            0.0.0.0     |          | 192.168.0.7:8080      | true
            0.0.0.0     |          | [fe80::1]             | true
            0.0.0.0     |          | evil.test             | false
            0.0.0.0     |          | 1.2.3.4.evil.test     | false
            0.0.0.0     | a.b c.d  | c.d                   | true
            """)
    void onlyNamesThatArePromisedAreAnswered(String bound, String named, String host, boolean answered) {
        assertThat(AllowedHosts.of(bound, names(named), false).answers(host)).isEqualTo(answered);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    | planner.mlestar.svc.cluster.local | true
                    | 10.0.0.1:8012                     | true
                    |                                   | true
            ml.test | ml.test                           | true
            ml.test | 127.0.0.1:8080                    | true
            ml.test | 10.0.0.1:8012                     | true
            ml.test | evil.test                         | false
            """)
    void behindKnativeAnyNameIsAnsweredUnlessNamesAreGiven(String named, String host, boolean answered) {
        assertThat(AllowedHosts.of("0.0.0.0", names(named), true).answers(host)).isEqualTo(answered);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false |         | http://localhost:8080      | localhost:8080   | true
            false |         | http://127.0.0.1:8080      | localhost:8080   | true
            false |         | https://127.0.0.1:8080     | 127.0.0.1:8080   | false
            false |         | https://localhost          | localhost        | false
            false |         | http://localhost:3000      | localhost:8080   | false
            false |         | http://localhost           | localhost:8080   | false
            false |         | http://evil.test:8080      | localhost:8080   | false
            false |         | http://localhost.evil:8080 | localhost:8080   | false
            false |         | null                       | localhost:8080   | false
            false |         | file://localhost:8080      | localhost:8080   | false
            false |         | http://                    | localhost:8080   | false
            false |         | http://localhost:8080/x    | localhost:8080   | false
            false | ml.test | https://ml.test            | localhost:8080   | true
            false | ml.test | https://ml.test.evil       | ml.test          | false
            true  |         | http://a.svc               | a.svc            | true
            true  |         | http://evil.test           | a.svc            | false
            true  | ml.test | https://ml.test            | ml.test          | true
            true  | ml.test | https://evil.test          | ml.test          | false
            """)
    void aPageIsOursByItsNameAndPort(boolean knative, String named, String origin, String host, boolean ours) {
        assertThat(AllowedHosts.of("127.0.0.1", names(named), knative).isOurPage(origin, host)).isEqualTo(ours);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://ml.test", "ml.test:80", "a b", "", "ml.test/x", "*"})
    void aNameIsANameAndNothingElse(String name) {
        assertThatThrownBy(() -> AllowedHosts.of("127.0.0.1", List.of(name), false)).isInstanceOf(Invalid.class)
                .hasMessageContaining("--host-name");
    }

    @Test
    void aTokenIsLongAndIsItselfAlone() {
        Token made = Token.random();
        assertThat(made.value()).hasSizeGreaterThanOrEqualTo(32).isNotEqualTo(Token.random().value());
        assertThat(made.is(made.value())).isTrue();
        for (String other : new String[] {null, "", made.value() + "x", made.value().substring(1),
            made.value().toUpperCase(java.util.Locale.ROOT) + "é"}) {
            assertThat(made.is(other)).isFalse();
        }
        assertThat(made).asString().doesNotContain(made.value());
        for (String bad : new String[] {"short", "a b c d e f g h i j k", "x".repeat(201), "0123456789abcdef;"}) {
            assertThatThrownBy(() -> new Token(bad)).isInstanceOf(Invalid.class).hasMessageContaining("MLE_STAR_TOKEN");
        }
    }
}
