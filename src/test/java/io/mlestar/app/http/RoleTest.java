package io.mlestar.app.http;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class RoleTest {
    /// @param name of the one function that a pod exports, or of its role
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/roles.csv", numLinesToSkip = 1, quoteCharacter = '\'')
    void aPodServesItsFunctionsAndHidesTheOthers(String name, String method, String path, String event,
            boolean served) {
        boolean isRole = List.of("status", "agents", "phases").contains(name);
        Role role =
                isRole ? Role.of(Optional.empty(), Optional.of(name)) : Role.of(Optional.of(name), Optional.empty());
        assertThat(role.serves(method, path, Optional.ofNullable(event))).isEqualTo(served);
    }

    @Test
    void aRoleThatIsNoneIsNamed() {
        refusal(() -> Role.of(Optional.of("wizard"), Optional.empty())).contains("wizard");
        refusal(() -> Role.of(Optional.empty(), Optional.of("king"))).contains("king");
        refusal(() -> Role.of(Optional.of("planner"), Optional.of("status"))).contains("not both");
    }
}
