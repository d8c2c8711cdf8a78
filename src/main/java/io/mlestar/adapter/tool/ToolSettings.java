package io.mlestar.adapter.tool;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.ToolAccess;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an operator decides about the tools.
///
/// @param blockedCommands patterns of shell commands that are refused; see [BlockedCommands]
/// @param search empty if `WebSearch` is not offered
public record ToolSettings(List<String> blockedCommands, Permission permission, Optional<SearchEngine> search) {
    /// REQ-OR-033.
    public static final List<String> BLOCKED_COMMANDS = List.of("rm -rf /", "mkfs", "dd if=", ":(){ :|:& };:");

    /// The search engines that the program can use.
    public enum Provider { TAVILY, SEARXNG, GOOGLE }

    /// The engine behind `WebSearch`.
    ///
    /// @param key null if the engine wants none
    /// @param baseUrl null is the provider's own; SearXNG has none
    /// @param engineId Google's `cx`; null for the others
    public record SearchEngine(Provider provider, @Nullable String key, @Nullable URI baseUrl,
            @Nullable String engineId) {
        public SearchEngine {
            baseUrl = switch (provider) {
                case TAVILY -> Objects.requireNonNullElse(baseUrl, URI.create("https://api.tavily.com"));
                case GOOGLE -> Objects.requireNonNullElse(baseUrl, URI.create("https://www.googleapis.com"));
                case SEARXNG -> baseUrl;
            };
            if (baseUrl == null || baseUrl.getHost() == null) {
                throw new Invalid("the search engine " + provider + " needs a base URL");
            }
            if (provider != Provider.SEARXNG && (key == null || key.isBlank())) {
                throw new Invalid("the search engine " + provider + " needs a key");
            }
            if (provider == Provider.GOOGLE && (engineId == null || engineId.isBlank())) {
                throw new Invalid("the search engine GOOGLE needs an engine id (cx)");
            }
        }

        /// Without the key.
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
    public static ToolSettings of(ToolAccess access, Permission approver, Map<String, String> environment) {
        return new ToolSettings(access.blockedCommands() == null ? BLOCKED_COMMANDS : access.blockedCommands(),
                Permission.of(access.permissionMode(), approver), search(environment));
    }

    private static Optional<SearchEngine> search(Map<String, String> environment) {
        if (environment.containsKey("TAVILY_API_KEY")) {
            return Optional.of(new SearchEngine(Provider.TAVILY, environment.get("TAVILY_API_KEY"), null, null));
        }
        if (environment.containsKey("SEARXNG_BASE_URL")) {
            return Optional.of(
                    new SearchEngine(Provider.SEARXNG, null, URI.create(environment.get("SEARXNG_BASE_URL")), null));
        }
        return environment.containsKey("GOOGLE_SEARCH_API_KEY") ? Optional.of(new SearchEngine(Provider.GOOGLE,
                environment.get("GOOGLE_SEARCH_API_KEY"), null, environment.get("GOOGLE_SEARCH_ENGINE_ID")))
                : Optional.empty();
    }
}
