package io.mlestar.adapter.model.mcp;

import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.core.base.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Names of MCP tools for models: `mcp__<server>__<tool>`. The protocol allows names that no
/// provider takes, and one such name makes a provider refuse the whole request.
final class McpToolNames {
    /// The length that all providers take.
    private static final int LONGEST = 64;
    private static final String REFUSED = "[^A-Za-z0-9_-]";
    private static final int DIGITS = 8;

    private McpToolNames() {}

    /// Names by the tools' names at their server.
    static Map<String, String> of(String server, List<String> listed) {
        String prefix = ExternalTools.PREFIX + server + "__";
        Set<String> tools = Set.copyOf(listed);
        Map<String, Long> claims =
                tools.stream()
                        .collect(Collectors.groupingBy(tool -> plain(prefix, tool),
                                Collectors.counting()));
        return tools.stream().collect(Collectors.toMap(tool -> tool, tool -> {
            String plain = plain(prefix, tool);
            boolean clear = plain.equals(prefix + tool) || claims.getOrDefault(plain, 0L) == 1;
            return clear && plain.length() <= LONGEST ? plain : distinct(plain, tool);
        }));
    }

    private static String plain(String prefix, String tool) {
        return prefix + tool.replaceAll(REFUSED, "_");
    }

    private static String distinct(String plain, String tool) {
        String digest =
                "_" + Sha256.hex(tool.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS);
        return plain.substring(0, Math.min(plain.length(), LONGEST - digest.length())) + digest;
    }
}
