package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the log holds, and where it goes.
///
/// @param logFile log lines are appended here too; null is none
/// @param logFormat `text`, or `json`: one object per line
public record LogSettings(
        @JsonProperty(defaultValue = "INFO") String logLevel,
        @Nullable String logFile,
        @JsonProperty(defaultValue = "text") String logFormat) {

    private static final List<String> LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR");

    public LogSettings {
        logLevel = Invalid.oneOf("log_level", logLevel.toUpperCase(Locale.ROOT), LEVELS);
        logFormat = Invalid.oneOf("log_format", logFormat.toLowerCase(Locale.ROOT), List.of("text", "json"));
    }
}
