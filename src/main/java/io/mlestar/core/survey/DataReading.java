package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.DataTables;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the output of the survey of the data. It quotes untrusted names and values, so each line
/// is bounded and holds no line break, no invisible character, none that turns its direction, no
/// fence and no heading.
public final class DataReading {
    /// Most characters of the whole card. The program that makes it keeps to 16,000, which are some
    /// 4,000 tokens.
    public static final int LONGEST = 16 << 10;
    private static final int LONGEST_LINE = 2_000;
    /// Most characters that are read: each may be printed as six.
    private static final int LONGEST_PRINTED = 8 * LONGEST;
    private static final String CUT = "(cut here)";

    private DataReading() {}

    /// Reads the output of the program: its last line is a JSON object with `lines`, whatever was
    /// printed before.
    public static DataCard read(String printed) {
        return SurveyScripts.printed(printed, LONGEST_PRINTED)
                .filter(said -> said.path("lines").isArray())
                .map(said -> new DataCard(bounded(said.path("lines"))))
                .orElse(DataCard.NONE);
    }

    /// The tables that the program found; null if it named none.
    public static @Nullable DataTables tables(String printed) {
        JsonNode said =
                SurveyScripts.printed(printed, LONGEST_PRINTED).orElseGet(Json::object);
        JsonNode found = said.path("tables");
        if (!found.isObject()) {
            return null;
        }
        return new DataTables(found.path("train").textValue(), found.path("test").textValue(),
                found.path("submission").textValue());
    }

    private static List<String> bounded(JsonNode said) {
        List<String> lines = new ArrayList<>();
        int length = CUT.length();
        for (JsonNode one : said) {
            if (!one.isTextual()) {
                return List.of();
            }
            String line = plain(one.textValue());
            length += line.length() + 1;
            if (length > LONGEST) {
                lines.add(CUT);
                break;
            }
            lines.add(line);
        }
        return lines;
    }

    /// A text as it can stand on a line of its own, or within one: bounded, with whatever does not
    /// print escaped.
    public static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints().limit(LONGEST_LINE).forEach(c -> {
            if (isPlain(c) && !(c == '#' && plain.isEmpty())) {
                plain.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    plain.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
            }
        });
        return plain.length() > LONGEST_LINE ? plain.substring(0, LONGEST_LINE) : plain.toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
                    Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> c != '`';
        };
    }
}
