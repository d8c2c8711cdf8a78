package io.mlestar.app.program;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartupCheckTest {
    private static void check(Map<String, String> environment) {
        CompositionRoot root = new CompositionRoot(environment);
        new StartupCheck(root).check(root.config(Json.object()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MLE_STAR_SANDBOX         | perhaps
            MLE_STAR_SCRIPTS_AT_ONCE | many
            MLE_STAR_WEIGHTS         | /no/where
            MLE_STAR_PATIENCE        | soon
            MLE_STAR_PATIENCE        | -5s
            MLE_STAR_ROLE            | king
            MLE_STAR_HOST_NAMES      | a b,c
            MLE_STAR_TOKEN           | short
            MLE_STAR_APPROVER        | /no/where
            MLE_STAR_APPROVER        | no-such-program
            MLE_STAR_MCP_COMMANDS    | yes
            MLE_STAR_MCP_URLS        | https://a/mcp,b
            MLE_STAR_TIME_LIMIT      | an hour
            MLE_STAR_BUDGET_PER_DAY  | much
            MLE_STAR_SINGLE_CALLS_PER_DAY | 1
            MLE_STAR_S3_PATH_STYLE   | maybe
            MLE_STAR_S3_CREATE       | never
            MLE_STAR_MODELS          | /no/where
            MLE_STAR_PROMPTS         | /no/where
            MLE_STAR_LOG_LEVEL       | loud
            MLE_STAR_LOG_FORMAT      | xml
            K_SINK                   | not an address
            K_SINK                   | broker
            K_SINK                   | http://
            K_SINK                   | ftp://broker
            K_SINK                   | http://broker:port/
            K_SINK                   | :::
            """)
    @Requirement("REQ-OR-046")
    void aVariableWithAWrongValueIsRefusedByItsNameBeforeAnythingIsBegun(String variable, String value) {
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> check(Map.of(variable, value, "PATH", "/usr/bin:/bin")))
                .withMessageContaining(variable);
    }

    @Test
    void whatIsRightIsTaken() {
        Map<String, String> right = Map.of("MLE_STAR_SCRIPTS_AT_ONCE", "2", "MLE_STAR_PATIENCE", "PT1M",
                "MLE_STAR_ROLE", "status",
                "MLE_STAR_HOST_NAMES", "here.example,there", "MLE_STAR_APPROVER", "sh", "MLE_STAR_MCP_COMMANDS", "true",
                "MLE_STAR_MCP_URLS", "https://a/mcp, http://b", "PATH", "/usr/bin:/bin", "MLE_STAR_SANDBOX",
                "preferred");
        assertThatCode(() -> check(right)).doesNotThrowAnyException();
    }
}
