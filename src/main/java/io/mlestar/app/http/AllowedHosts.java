package io.mlestar.app.http;

import io.mlestar.core.base.Invalid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The names by which this server answers (RFC 9110, 7.4). A page of another site can make its own
/// name lead to this machine; its requests still hold that name.
///
/// @param own names that lead here whatever a page does
/// @param named by the operator; a proxy may stand there, at any port
/// @param addresses whether any numeric address is this server
/// @param any whether all names are: behind Knative, where the network in front chooses who gets
///   what
public record AllowedHosts(Set<String> own, Set<String> named, boolean addresses, boolean any) {
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[[0-9a-fA-F:.]{2,45}]|[A-Za-z0-9._-]{1,253})(?::(\\d{1,5}))?");
    private static final Pattern ORIGIN = Pattern.compile("(https?)://(.+)");
    private static final Pattern ADDRESS = Pattern.compile("\\[.*]|\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /// @param bound address that the server listens on
    /// @param named by the operator
    /// @param knative whether Knative stands in front
    /// @throws Invalid if a name is none
    public static AllowedHosts of(String bound, Collection<String> named, boolean knative) {
        for (String name : named) {
            if (split(name).filter(parts -> parts.group(2) == null).isEmpty()) {
                throw new Invalid(
                        "--host-name must be a name without scheme and port, as must each of MLE_STAR_HOST_NAMES, but is \""
                                + name + "\"");
            }
        }
        Set<String> own = new HashSet<>(LOOPBACK);
        if (!is(bound, InetAddress::isAnyLocalAddress)) {
            own.add(inAddresses(bound));
        }
        return new AllowedHosts(Set.copyOf(own),
                Set.copyOf(named.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList()),
                !isLoopback(bound), knative && named.isEmpty());
    }

    /// The names of a server that only this machine reaches, and those that `MLE_STAR_HOST_NAMES`
    /// holds.
    ///
    /// @throws Invalid if a name is none
    public static AllowedHosts of(Map<String, String> environment) {
        String named = environment.getOrDefault("MLE_STAR_HOST_NAMES", "");
        return of("localhost", named.isEmpty() ? List.of() : List.of(named.split(",")), false);
    }

    /// True if only this machine can reach a server that listens on `bound`.
    static boolean isLoopback(String bound) {
        return is(bound, InetAddress::isLoopbackAddress);
    }

    /// The name by which one reaches a server that listens there, if nobody says another.
    static String usual(String bound) {
        return isLoopback(bound) || is(bound, InetAddress::isAnyLocalAddress)
                ? "localhost"
                : inAddresses(bound);
    }

    private static String inAddresses(String bound) {
        return bound.contains(":") ? "[" + bound + "]" : bound.toLowerCase(Locale.ROOT);
    }

    private static boolean is(String bound, Predicate<InetAddress> kind) {
        try {
            return kind.test(InetAddress.getByName(bound));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Optional<Matcher> split(String authority) {
        Matcher parts = AUTHORITY.matcher(authority);
        return parts.matches() ? Optional.of(parts) : Optional.empty();
    }

    /// @param authority host and port as a request names them; null if it does not
    boolean answers(String authority) {
        return any || authority != null
                && split(authority).filter(parts -> isOurs(parts.group(1).toLowerCase(Locale.ROOT)))
                        .isPresent();
    }

    private boolean isOurs(String host) {
        return own.contains(host) || named.contains(host)
                || addresses && ADDRESS.matcher(host).matches();
    }

    /// True if a page of `origin` comes from this server (RFC 6454). Another server of this machine
    /// differs in its port, or in its scheme, since this one speaks http itself. A proxy under a
    /// name that the operator gave may speak https.
    ///
    /// @param authority of the request, which is answered
    boolean isOurPage(String origin, String authority) {
        Matcher page = ORIGIN.matcher(origin);
        if (!page.matches()) {
            return false;
        }
        if (any) {
            return page.group(2).equalsIgnoreCase(authority);
        }
        Optional<String> port =
                split(authority == null ? "" : authority).map(parts -> parts.group(2));
        return split(page.group(2)).filter(parts -> {
            String host = parts.group(1).toLowerCase(Locale.ROOT);
            boolean isDirect = page.group(1).equals("http")
                    && port.equals(Optional.ofNullable(parts.group(2)));
            return named.contains(host) || isDirect && isOurs(host);
        }).isPresent();
    }
}
