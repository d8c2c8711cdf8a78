package io.mlestar.adapter.tool;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.ToolAccess;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The operator's settings of the tools.
///
/// @param blockedCommands patterns of shell commands that are refused; see [BlockedCommands]
/// @param search empty if `WebSearch` is not offered
public record ToolSettings(
        List<String> blockedCommands,
        Permission permission,
        Optional<SearchEngine> search) {
    /// REQ-OR-033.
    public static final List<String> BLOCKED_COMMANDS =
            List.of("rm -rf /", "mkfs", "dd if=", ":(){ :|:& };:");

    /// The search engines that the program can use.
    public enum Provider { TAVILY, SEARXNG, GOOGLE }

    /// The engine behind `WebSearch`.
    ///
    /// @param key empty for SearXNG, which wants none
    /// @param engineId Google's `cx`; empty for the others
    public record SearchEngine(Provider provider, URI baseUrl, String key, String engineId) {
        public SearchEngine {
            if (baseUrl.getHost() == null) {
                throw new Invalid("the search engine " + provider + " needs a base URL");
            }
            if (provider != Provider.SEARXNG && key.isBlank()) {
                throw new Invalid("the search engine " + provider + " needs a key");
            }
            if (provider == Provider.GOOGLE && engineId.isBlank()) {
                throw new Invalid("the search engine GOOGLE needs an engine id (cx)");
            }
        }

        /// Leaves out the key.
        @Override
        public String toString() {
            return "SearchEngine[" + provider + ", " + baseUrl + "]";
        }
    }

    public ToolSettings {
        blockedCommands = List.copyOf(blockedCommands);
        blockedCommands.forEach(pattern -> {
            if (pattern.isBlank()) {
                throw new Invalid("a blocked command must not be blank");
            }
        });
    }

    /// @param access says what needs approval, and which commands are blocked
    /// @param approver gives it
    /// @param environment names the search engine: `TAVILY_API_KEY`, or `SEARXNG_BASE_URL`, or
    ///   `GOOGLE_SEARCH_API_KEY` with `GOOGLE_SEARCH_ENGINE_ID`
    public static ToolSettings of(
            ToolAccess access,
            Permission approver,
            Map<String, String> environment) {
        return new ToolSettings(
                access.blockedCommands() == null ? BLOCKED_COMMANDS : access.blockedCommands(),
                Permission.of(access.permissionMode(), approver), search(environment));
    }

    private static Optional<SearchEngine> search(Map<String, String> environment) {
        String tavily = environment.get("TAVILY_API_KEY");
        if (tavily != null) {
            return Optional.of(new SearchEngine(Provider.TAVILY,
                    URI.create("https://api.tavily.com"), tavily, ""));
        }
        String searxng = environment.get("SEARXNG_BASE_URL");
        if (searxng != null) {
            return Optional.of(new SearchEngine(Provider.SEARXNG, URI.create(searxng), "", ""));
        }
        return Optional.ofNullable(environment.get("GOOGLE_SEARCH_API_KEY"))
                .map(key -> new SearchEngine(Provider.GOOGLE,
                        URI.create("https://www.googleapis.com"), key,
                        environment.getOrDefault("GOOGLE_SEARCH_ENGINE_ID", "")));
    }
}
