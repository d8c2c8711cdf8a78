package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.step.MachineFacts.Gpu;
import io.mlestar.core.step.MachineFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads what the probe of the machine printed, which is data from outside: any library that Python
/// loads may print what it likes.
public final class MachineReading {
    /// Most characters that are read.
    private static final int LONGEST = 64 << 10;
    private static final int MOST = 200;
    private static final int MOST_PROCESSORS = 1 << 16;
    private static final long MOST_BYTES = 1L << 60;
    private static final String BEGIN = "[A-Za-z0-9]";
    private static final Pattern NAME = Pattern.compile(BEGIN + "[A-Za-z0-9._-]{0,59}");
    private static final Pattern VERSION =
            Pattern.compile("\\?|" + BEGIN + "[A-Za-z0-9.+!_-]{0,39}");
    private static final Pattern WORDS = Pattern.compile(BEGIN + "[A-Za-z0-9 ._()/+@-]{0,99}");

    private MachineReading() {}

    /// Reads the output of a probe: its last line is a JSON object, whatever a library may have
    /// printed before. Each fact that is not what it should be is left out.
    public static MachineFacts read(String printed) {
        return SurveyScripts.printed(printed, LONGEST)
                .map(MachineReading::facts)
                .orElse(MachineFacts.UNKNOWN);
    }

    private static MachineFacts facts(JsonNode said) {
        return new MachineFacts(text(said.path("python"), VERSION),
                text(said.path("system"), WORDS), count(said.path("processors"), 1),
                bytes(said.path("memory_bytes")), count(said.path("scripts_at_once"), 1),
                count(said.path("scripts_per_gpu"), 1), bytes(said.path("free_disk_bytes")),
                said.path("network").isBoolean()
                        ? (Boolean) said.path("network").booleanValue()
                        : null,
                gpus(said.path("gpus")), versions(said.path("libraries")),
                texts(said.path("missing"), NAME), versions(said.path("others")),
                count(said.path("others_left_out"), 0), texts(said.path("weights"), WORDS));
    }

    private static @Nullable String text(JsonNode said, Pattern form) {
        return said.isTextual() && form.matcher(said.textValue()).matches()
                ? said.textValue()
                : null;
    }

    private static @Nullable Integer count(JsonNode said, int least) {
        return said.isInt() && said.intValue() >= least && said.intValue() <= MOST_PROCESSORS
                ? (Integer) said.intValue()
                : null;
    }

    private static @Nullable Long bytes(JsonNode said) {
        return said.isIntegralNumber() && said.canConvertToLong() && said.longValue() >= 0
                && said.longValue() <= MOST_BYTES
                        ? (Long) said.longValue()
                        : null;
    }

    private static List<String> texts(JsonNode said, Pattern form) {
        List<String> texts = new ArrayList<>();
        for (JsonNode one : said) {
            if (said.isArray() && texts.size() < MOST && text(one, form) != null) {
                texts.add(one.textValue());
            }
        }
        return texts;
    }

    private static Map<String, String> versions(JsonNode said) {
        Map<String, String> versions = new LinkedHashMap<>();
        said.properties().forEach(library -> {
            if (versions.size() < MOST && NAME.matcher(library.getKey()).matches()
                    && text(library.getValue(), VERSION) != null) {
                versions.put(library.getKey(), library.getValue().textValue());
            }
        });
        return versions;
    }

    private static List<Gpu> gpus(JsonNode said) {
        List<Gpu> gpus = new ArrayList<>();
        for (JsonNode gpu : said) {
            String name = text(gpu.path("name"), WORDS);
            if (name != null && gpus.size() < MOST) {
                gpus.add(new Gpu(name, bytes(gpu.path("memory_bytes")),
                        text(gpu.path("driver"), VERSION), text(gpu.path("cuda"), VERSION)));
            }
        }
        return gpus;
    }
}
