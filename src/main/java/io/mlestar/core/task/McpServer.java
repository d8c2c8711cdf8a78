package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An MCP server whose tools agents may use (REQ-OR-010): reached over HTTP, or a command that is
/// started and spoken to on its standard streams. `url`, `headers` and `env` may hold
/// `${MCP_NAME}`, which the environment fills when the server is used: a configuration is stored
/// with its run, so it must hold no secret.
///
/// @param url of a streamable HTTP endpoint; null if there is a command
/// @param headers sent with every request to `url`
/// @param command program to start; null if there is a URL
/// @param args of the command
/// @param env the command's environment, in addition to a few variables that programs need to start
/// @param agents ids of the agents that get the tools; null is all
public record McpServer(
        @Nullable String url,
        Map<String, String> headers,
        @Nullable String command,
        List<String> args,
        Map<String, String> env,
        @Nullable List<String> agents) {
    private static final String COMMANDS = "MLE_STAR_MCP_COMMANDS";
    private static final String URLS = "MLE_STAR_MCP_URLS";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}?");
    private static final Pattern OURS_TO_GIVE = Pattern.compile("MCP_[A-Z0-9_]+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]+([_-][A-Za-z0-9]+)*");
    private static final int LONGEST_NAME = 30;
    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i).*(authorization|token|secret|passw(or)?d|(api|access|private)[-_]?key|credentials?|cookie)");
    private static final Pattern SCHEME =
            Pattern.compile("(?i)\\s*(bearer|basic|token|apikey)?\\s*");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Set<String> RESERVED =
            Set.of("host", "connection", "content-length", "content-type", "accept", "expect",
                    "upgrade");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public McpServer {
        headers = headers == null ? Map.of() : headers;
        args = args == null ? List.of() : args;
        env = env == null ? Map.of() : env;
    }

    /// Returns a copy, which keeps all rules.
    ///
    /// @param name that the user gave the server
    /// @throws Invalid naming the field that is wrong
    McpServer checked(String name) {
        String field = "mcp_servers." + name;
        if (!NAME.matcher(name).matches() || name.length() > LONGEST_NAME) {
            throw new Invalid(field + ": a server's name is 1 to " + LONGEST_NAME
                    + " letters and digits, with single - or _ in between");
        }
        if ((url == null) == (command == null)) {
            throw new Invalid(field + " needs either url or command");
        }
        if (url == null ? !headers.isEmpty() : !args.isEmpty() || !env.isEmpty()) {
            throw new Invalid(field + ": headers go with url; args and env go with command");
        }
        if (url != null) {
            address(field + ".url", url);
        } else {
            Invalid.text(field + ".command", command);
        }
        headers.forEach((header, value) -> {
            if (!HEADER.matcher(header).matches()
                    || RESERVED.contains(header.toLowerCase(Locale.ROOT))) {
                throw new Invalid(field + ".headers." + header + " cannot be set");
            }
            value(field + ".headers." + header, header, value);
        });
        Invalid.list(field + ".args", args).forEach(arg -> {
            String option = arg.split("=", 2)[0];
            if (arg.startsWith("-") && SECRET.matcher(option).matches()) {
                throw new Invalid(field + ".args must hold no secret (" + option
                        + "); give it by env, e.g. ${MCP_TOKEN}");
            }
        });
        env.forEach((variable, value) -> {
            if (!VARIABLE.matcher(variable).matches()) {
                throw new Invalid(field + ".env." + variable + " is not the name of a variable");
            }
            value(field + ".env." + variable, variable, value);
        });
        if (agents != null) {
            Invalid.list(field + ".agents", agents).forEach(agent -> {
                if (AgentType.of(agent).isEmpty()) {
                    throw new Invalid(
                            field + ".agents: \"" + agent + "\" is not the name of an agent");
                }
            });
        }
        return new McpServer(url, Map.copyOf(headers), command, List.copyOf(args), Map.copyOf(env),
                agents == null ? null : List.copyOf(agents));
    }

    private static void address(String field, String url) {
        URI uri;
        try {
            uri = URI.create(filled(field, url, name -> "x"));
        } catch (IllegalArgumentException e) {
            throw e instanceof Invalid ? e : new Invalid(field + " is not an address");
        }
        if (!List.of("http", "https").contains(Objects.requireNonNullElse(uri.getScheme(), ""))
                || uri.getHost() == null
                || uri.getUserInfo() != null) {
            throw new Invalid(
                    field + " must begin with http:// or https:// and a host, without user name");
        }
        int query = url.indexOf('?');
        for (String pair : query < 0 ? new String[0] : url.substring(query + 1).split("[&;]")) {
            value(field, pair.replaceFirst("(?s)=.*", ""), pair.replaceFirst("[^=]*=?", ""));
        }
    }

    /// Checks a value that may hold references, and must if its name says that it is a secret.
    private static void value(String field, String name, String value) {
        Invalid.required(field, value);
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new Invalid(field + " must hold no control characters");
        }
        String literal = filled(field, value, variable -> "");
        if (SECRET.matcher(name).matches() && !SCHEME.matcher(literal).matches()) {
            throw new Invalid(
                    field + " must come from the environment, e.g. ${MCP_TOKEN}: the configuration is stored as it is");
        }
    }

    private static String filled(String field, String text, UnaryOperator<String> variables) {
        return REFERENCE.matcher(text).replaceAll(reference -> {
            if (!reference.group().endsWith("}")
                    || !OURS_TO_GIVE.matcher(reference.group(1)).matches()) {
                throw new Invalid(
                        field + " may take variables that begin with MCP_ only, e.g. ${MCP_TOKEN}");
            }
            return Matcher.quoteReplacement(variables.apply(reference.group(1)));
        });
    }

    /// The text with its references filled.
    ///
    /// @param text of this server's configuration
    /// @throws Invalid naming a variable that is not set
    public static String filled(String text, Map<String, String> environment) {
        return filled("an MCP server", text, variable -> {
            if (!environment.containsKey(variable)) {
                throw new Invalid("the environment variable " + variable + " is not set");
            }
            return environment.get(variable).strip();
        });
    }

    /// @throws Invalid if a variable that says what MCP servers may be says something that cannot
    ///   be
    public static void check(Map<String, String> environment) {
        String commands = environment.getOrDefault(COMMANDS, "");
        if (!commands.matches("|true|false")) {
            throw new Invalid(COMMANDS + " must be true or false, but is \"" + commands + "\"");
        }
        named(environment).filter(address -> !address.matches("(|https?://.+)"))
                .findFirst()
                .ifPresent(address -> {
                    throw new Invalid(
                            URLS + " must hold addresses that begin with http:// or https://, but holds \""
                                    + address + "\"");
                });
    }

    private static Stream<String> named(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault(URLS, "").split("[,\\s]+"));
    }

    /// True if the operator has listed its address, without a query, in `MLE_STAR_MCP_URLS`.
    public boolean isNamed(Map<String, String> environment) {
        return url != null && named(environment).anyMatch(url.split("\\?", 2)[0]::equals);
    }

    /// Checks a server that others than the operator may have chosen. It starts no program; and
    /// unless the operator has named its address it gets no secret and shows by a certificate that
    /// it is the host that was looked up.
    ///
    /// @throws Invalid naming what the operator would have to allow
    public void checkUntrusted(String name, Map<String, String> environment) {
        String field = "mcp_servers." + name;
        if (command != null && !"true".equals(environment.get(COMMANDS))) {
            throw new Invalid(
                    field + ".command is not started for a run that is not started by hand; use url, or set "
                            + COMMANDS
                            + "=true where the program runs");
        }
        if (url == null || isNamed(environment)) {
            return;
        }
        if (REFERENCE.matcher(url + headers.values()).find()) {
            throw new Invalid(
                    field + ".url gets no secret for a run that is not started by hand; name it in "
                            + URLS
                            + " where the program runs");
        }
        if (!url.toLowerCase(Locale.ROOT).startsWith("https:")) {
            throw new Invalid(field
                    + ".url must begin with https:// for a run that is not started by hand, or be named in "
                    + URLS
                    + " where the program runs");
        }
    }

    /// True if this agent gets the server's tools.
    public boolean isFor(AgentType agent) {
        return agents == null || agents.contains(agent.id());
    }
}
