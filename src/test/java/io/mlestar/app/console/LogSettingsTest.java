package io.mlestar.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogSettingsTest {
    @Test
    @Requirement({"REQ-OR-046", "REQ-OR-047"})
    void whatAUserGivesBeatsTheEnvironmentAndIsNotPartOfTheRun() {
        ObjectNode given = (ObjectNode) Json.parse(
                "{\"log_level\": \"debug\", \"log_file\": \"run.log\", \"model\": \"opus\", \"log_format\": null}");

        assertThat(LogSettings.taken(given, Map.of("MLE_STAR_LOG_LEVEL", "WARN", "MLE_STAR_LOG_FORMAT", "json")))
                .isEqualTo(new LogSettings("DEBUG", "run.log", "json"));
        assertThat(given).isEqualTo(Json.object().put("model", "opus"));
        assertThat(LogSettings.of(Map.of("MLE_STAR_LOG_LEVEL", " "))).isEqualTo(new LogSettings("INFO", null, "text"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"log_level": "LOUD"} | log_level must be one of
            {"log_format": "xml"} | log_format must be one of
            {"log_file": 7}       | log_file must be a text, but is 7
            {"log_file": " "}     | log_file is required and must not be blank
            """)
    void whatCannotBeIsRefusedByName(String given, String said) {
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> LogSettings.taken((ObjectNode) Json.parse(given), Map.of()))
                .withMessageContaining(said);
    }
}
