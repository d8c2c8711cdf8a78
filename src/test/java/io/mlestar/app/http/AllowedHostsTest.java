package io.mlestar.app.http;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
    private static List<String> names(String names) {
        return names == null ? List.of() : List.of(names.split(" "));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/allowed-hosts.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '\'')
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
    @CsvFileSource(resources = "/cases/own-pages.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '\'')
    void aPageIsOursByItsNameAndPort(boolean knative, String named, String origin, String host, boolean ours) {
        assertThat(AllowedHosts.of("127.0.0.1", names(named), knative).isOurPage(origin, host)).isEqualTo(ours);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://ml.test", "ml.test:80", "a b", "", "ml.test/x", "*"})
    void aNameIsANameAndNothingElse(String name) {
        refusal(() -> AllowedHosts.of("127.0.0.1", List.of(name), false)).contains("--host-name");
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
            refusal(() -> new Token(bad)).contains("MLE_STAR_TOKEN");
        }
    }
}
