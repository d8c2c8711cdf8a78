package io.mlestar.core.base;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The rules by which requests go through a proxy, from the variables that most programs know:
/// `HTTPS_PROXY` and `HTTP_PROXY` for the addresses of these schemes, `NO_PROXY` for hosts without
/// one; the names in lower case go first. No request to this machine itself goes through a proxy.
///
/// @param byScheme of the address that is asked
/// @param direct entries of `NO_PROXY`: `*`; a host and all below it, with or without a port; a
///   network as `10.0.0.0/8`
public record ProxyRules(Map<String, ProxyServer> byScheme, List<String> direct) {
    public static final ProxyRules NONE = new ProxyRules(Map.of(), List.of());

    /// A proxy, which is spoken to by plain HTTP, and tunnels `https`.
    ///
    /// @param variable that names it
    /// @param credentials `user:password`
    public record ProxyServer(
            String variable,
            String host,
            int port,
            Optional<String> credentials) {
        /// The value of the header `Proxy-Authorization`.
        public Optional<String> authorization() {
            return credentials.map(each -> "Basic "
                    + Base64.getEncoder().encodeToString(each.getBytes(StandardCharsets.UTF_8)));
        }

        public URI address() {
            return URI.create("http://" + host + ":" + port);
        }

        /// The proxy in words for people, without its password.
        @Override
        public String toString() {
            return "the proxy " + address() + " (" + variable + ")";
        }
    }

    public ProxyRules {
        byScheme = Map.copyOf(byScheme);
        direct = List.copyOf(direct);
    }

    /// @throws Invalid naming the variable that is no address of a proxy
    public static ProxyRules of(Map<String, String> environment) {
        Map<String, ProxyServer> proxies = new HashMap<>();
        for (String scheme : List.of("http", "https")) {
            Stream.of(scheme + "_proxy", scheme.toUpperCase(Locale.ROOT) + "_PROXY")
                    .filter(name -> !environment.getOrDefault(name, "").isBlank())
                    .findFirst()
                    .ifPresent(name -> proxies.put(scheme,
                            server(name, environment.getOrDefault(name, "").strip())));
        }
        String direct =
                environment.getOrDefault("no_proxy", environment.getOrDefault("NO_PROXY", ""));
        return new ProxyRules(proxies,
                Stream.of(direct.toLowerCase(Locale.ROOT).split("[,\\s]+"))
                        .filter(entry -> !entry.isEmpty())
                        .toList());
    }

    private static ProxyServer server(String variable, String value) {
        try {
            URI uri = new URI(value.contains("://") ? value : "http://" + value);
            if ("http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
                return new ProxyServer(variable, uri.getHost(),
                        uri.getPort() < 0 ? 80 : uri.getPort(),
                        Optional.ofNullable(uri.getRawUserInfo())
                                .map(raw -> URLDecoder.decode(raw.replace("+", "%2B"),
                                        StandardCharsets.UTF_8)));
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // Said below, without the value: it may hold a password.
        }
        throw new Invalid(
                variable + " must be the address of an HTTP proxy: http://HOST:PORT or http://USER:PASSWORD@HOST:PORT");
    }

    /// The proxy for an address; empty if it is asked directly.
    public Optional<ProxyServer> of(URI address) {
        String scheme =
                address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        ProxyServer proxy = byScheme.get(scheme);
        if (proxy == null || address.getHost() == null) {
            return Optional.empty();
        }
        String host = unbracketed(address.getHost().toLowerCase(Locale.ROOT));
        int usual = scheme.equals("https") ? 443 : 80;
        int port = address.getPort() >= 0 ? address.getPort() : usual;
        boolean isDirect =
                isHere(host) || direct.stream().anyMatch(entry -> matches(entry, host, port));
        return isDirect ? Optional.empty() : Optional.of(proxy);
    }

    private static boolean isHere(String host) {
        return host.equals("localhost") || host.endsWith(".localhost")
                || literal(host).filter(
                        address -> address.isLoopbackAddress() || address.isAnyLocalAddress())
                        .isPresent();
    }

    private static boolean matches(String entry, String host, int port) {
        if (entry.equals("*")) {
            return true;
        }
        if (entry.contains("/")) {
            String[] network = entry.split("/", 2);
            return literal(unbracketed(network[0])).flatMap(
                    base -> literal(host).map(
                            address -> isIn(base.getAddress(), network[1], address.getAddress())))
                    .orElse(false);
        }
        boolean hasPort = entry.matches("([^:]+|\\[.*]):\\d{1,5}");
        String name = unbracketed(
                (hasPort ? entry.substring(0, entry.lastIndexOf(':')) : entry)
                        .replaceFirst("^\\*?\\.", ""));
        return (host.equals(name) || host.endsWith("." + name))
                && (!hasPort || entry.endsWith(":" + port));
    }

    private static boolean isIn(byte[] base, String bits, byte[] address) {
        if (!bits.matches("\\d{1,3}") || base.length != address.length) {
            return false;
        }
        int rest = 8 * base.length - Integer.parseInt(bits);
        BigInteger apart = new BigInteger(1, base).xor(new BigInteger(1, address));
        return rest >= 0 && apart.bitLength() <= rest;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    private static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// The same rules for clients of the JDK. The password is not in it: see
    /// [ProxyServer#authorization].
    public ProxySelector selector() {
        return new ProxySelector() {
            @Override
            public List<Proxy> select(URI address) {
                return List.of(ProxyRules.this.of(address)
                        .map(proxy -> new Proxy(Proxy.Type.HTTP,
                                InetSocketAddress.createUnresolved(proxy.host(), proxy.port())))
                        .orElse(Proxy.NO_PROXY));
            }

            @Override
            public void connectFailed(URI address, SocketAddress proxy, IOException failure) {
                // There is no other one to try.
            }
        };
    }
}
