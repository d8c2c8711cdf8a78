package io.mlestar.app.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The level, file and format of this process's log (REQ-OR-047). They are no settings of a run: a
/// run is stored, and an event may have asked for it.
///
/// @param logFile log lines are appended here too; empty is none
/// @param logFormat `text`, or `json`: one object per line
public record LogSettings(String logLevel, Optional<String> logFile, String logFormat) {
    private static final List<String> LEVELS =
            List.of("TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR");

    public LogSettings {
        logLevel = Invalid.oneOf("log_level", logLevel.toUpperCase(Locale.ROOT), LEVELS);
        logFormat = Invalid.oneOf("log_format", logFormat.toLowerCase(Locale.ROOT),
                List.of("text", "json"));
    }

    LogSettings(String logLevel, String logFormat) {
        this(logLevel, Optional.empty(), logFormat);
    }

    /// Takes them out of the settings that a user of the command line gives; what is left there are
    /// settings of the run.
    ///
    /// @param environment says what they do not
    /// @throws Invalid naming the field or the variable that is wrong
    public static LogSettings taken(ObjectNode settings, Map<String, String> environment) {
        LogSettings usual = of(environment);
        String level = taken(settings, "log_level");
        String file = taken(settings, "log_file");
        if (file != null && !Files.isDirectory(Objects
                .requireNonNullElse(Path.of(file).toAbsolutePath().getParent(), Path.of("/")))) {
            throw new Invalid(
                    "log_file must be a file in a folder that is there, but is \"" + file + "\"");
        }
        String format = taken(settings, "log_format");
        return new LogSettings(level == null ? usual.logLevel : level, Optional.ofNullable(file),
                format == null ? usual.logFormat : format);
    }

    private static @Nullable String taken(ObjectNode settings, String field) {
        JsonNode value = settings.remove(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw new Invalid(field + " must be a text, but is " + value);
        }
        return Invalid.text(field, value.asText());
    }

    /// Reads the level and the format from the environment.
    ///
    /// @throws Invalid naming the variable that is wrong
    public static LogSettings of(Map<String, String> environment) {
        String level =
                of("MLE_STAR_LOG_LEVEL", "INFO", environment,
                        text -> new LogSettings(text, "text").logLevel);
        return new LogSettings(level, of("MLE_STAR_LOG_FORMAT", "text", environment,
                text -> new LogSettings("INFO", text).logFormat));
    }

    private static String of(
            String variable,
            String usual,
            Map<String, String> environment,
            UnaryOperator<String> checked) {
        String value = environment.getOrDefault(variable, "").strip();
        try {
            return value.isEmpty() ? usual : checked.apply(value);
        } catch (Invalid e) {
            throw new Invalid("environment variable " + variable + " is \"" + value + "\": "
                    + e.getMessage());
        }
    }
}
