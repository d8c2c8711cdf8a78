package io.mlestar.adapter.tool;

import io.mlestar.core.base.ProxyRules;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One request at a time to the web, with limits on time and size. A model's addresses are resolved
/// first and the connection goes to what was checked, so that a name cannot lead elsewhere the
/// second time.
public final class Web {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int MOST_BYTES = 2_000_000;
    /// Networks that are not public. Of IPv6 only 2000::/3 is; in it Teredo and its neighbours,
    /// documentation and 6to4 are not.
    private static final List<IpSubnetFilterRule> RESERVED = Stream
            .of("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
                    "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
                    "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
                    "224.0.0.0/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/16")
            .map(net -> new IpSubnetFilterRule(net, IpFilterRuleType.REJECT))
            .toList();
    /// Matches a name that may be of the public internet: no number in disguise, and none of the
    /// names of internal networks.
    private static final Pattern PUBLIC_NAME =
            Pattern.compile(
                    "(?i)([a-z0-9_-]+\\.)+(?!(local|localhost|internal|intranet|private|corp|home|lan|svc|arpa)\\.?$)(xn--[a-z0-9-]+|[a-z]{2,})\\.?");

    private final HttpClient client;
    private final Predicate<InetAddress> allowed;
    private final ProxyRules proxies;

    /// @param allowed where a model's requests may go
    Web(HttpClient client, Predicate<InetAddress> allowed, ProxyRules proxies) {
        this.client = client;
        this.allowed = allowed;
        this.proxies = proxies;
    }

    /// The public internet.
    ///
    /// @param environment where the proxies are named
    public static Web of(Vertx vertx, Map<String, String> environment) {
        return new Web(client(vertx), Web::isPublic, ProxyRules.of(environment));
    }

    static HttpClient client(Vertx vertx) {
        return vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS)
                .setKeepAlive(false)
                .setDecompressionSupported(true)
                .setMaxHeaderSize(32_768));
    }

    /// @param cut whether the body was longer
    record Page(
            int status,
            String contentType,
            Optional<String> location,
            byte[] body,
            boolean cut) {}

    /// Asks for a page that a model named; follows no redirect.
    ///
    /// @throws ToolRefused if its address is not allowed
    Page get(URI uri, Duration timeout) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        boolean isDirect = proxies.of(uri).isEmpty();
        Optional<InetAddress> address =
                within(timeout,
                        CompletableFuture.supplyAsync(
                                () -> checked(bare(uri.getHost()), allowed, isDirect),
                                Thread::startVirtualThread));
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.GET)
                .setAbsoluteURI(uri.toASCIIString())
                .putHeader("user-agent", "mlestar")
                .putHeader("accept", "text/html,text/plain,application/json,*/*;q=0.5");
        address.filter(_ -> isDirect)
                .ifPresent(checked -> options.setServer(SocketAddress
                        .inetSocketAddress(options.getPort(), checked.getHostAddress())));
        return send(uri, options, Optional.empty(),
                Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }

    /// Asks an address that the operator chose; it may be anywhere.
    Page ask(URI uri, Map<String, String> headers, Optional<byte[]> post, Duration timeout)
            throws IOException, InterruptedException {
        RequestOptions options =
                new RequestOptions().setMethod(post.isPresent() ? HttpMethod.POST : HttpMethod.GET)
                        .setAbsoluteURI(uri.toASCIIString())
                        .putHeader("accept", "application/json");
        headers.forEach(options::putHeader);
        return send(uri, options, post, timeout);
    }

    /// An address of IPv6 without its brackets.
    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /// @throws ToolRefused if the host, by name or by number, is not on the public internet
    public static void checkPublic(String host) {
        checked(bare(host), Web::isPublic, true);
    }

    /// Every address of the host must be allowed. A proxy resolves names anew, and may know more of
    /// them than this machine: it then says what is allowed, but for names that mean an internal
    /// network everywhere.
    ///
    /// @return empty if only the proxy knows
    private static Optional<InetAddress> checked(
            String host,
            Predicate<InetAddress> allowed,
            boolean isDirect) {
        try {
            InetAddress[] addresses = InetAddress.getAllByName(host);
            for (InetAddress address : addresses) {
                if (!allowed.test(address)) {
                    throw new ToolRefused(host + " is not on the public internet; it is not asked");
                }
            }
            return Optional.of(addresses[0]);
        } catch (UnknownHostException e) {
            if (!isDirect && PUBLIC_NAME.matcher(host).matches()) {
                return Optional.empty();
            }
            throw new ToolRefused("there is no host " + host);
        }
    }

    private Page send(URI uri, RequestOptions options, Optional<byte[]> post, Duration timeout)
            throws IOException, InterruptedException {
        Optional<ProxyRules.ProxyServer> proxy = proxies.of(uri);
        proxy.ifPresent(each -> options.setProxyOptions(options(each)));
        AtomicReference<HttpClientRequest> sent = new AtomicReference<>();
        CompletableFuture<Page> page = client.request(options).compose(request -> {
            sent.set(request);
            // The answer is asked for before anything is sent: the body of one that is already over
            // would never come.
            Future<Page> answer =
                    request.response().compose(response -> body(request, response).future());
            post.ifPresentOrElse(content -> request.end(Buffer.buffer(content)), request::end);
            return answer;
        }).toCompletionStage().toCompletableFuture();
        try {
            return within(timeout, page);
        } catch (IOException e) {
            throw proxy.isEmpty()
                    ? e
                    : new IOException(e.getMessage() + ", through " + proxy.get(), e);
        } finally {
            if (!page.isDone() && sent.get() != null) {
                sent.get().reset();
            }
        }
    }

    private static ProxyOptions options(ProxyRules.ProxyServer proxy) {
        ProxyOptions options = new ProxyOptions().setType(ProxyType.HTTP)
                .setHost(proxy.host())
                .setPort(proxy.port());
        proxy.credentials()
                .map(each -> each.split(":", 2))
                .ifPresent(each -> options.setUsername(each[0])
                        .setPassword(each.length > 1 ? each[1] : ""));
        return options;
    }

    private static Promise<Page> body(HttpClientRequest request, HttpClientResponse response) {
        Promise<Page> page = Promise.promise();
        Buffer body = Buffer.buffer();
        String type = Optional.ofNullable(response.getHeader("content-type")).orElse("");
        Optional<String> location = Optional.ofNullable(response.getHeader("location"));
        response.handler(chunk -> {
            body.appendBuffer(chunk.slice(0, Math.min(chunk.length(), MOST_BYTES - body.length())));
            if (body.length() >= MOST_BYTES
                    && page.tryComplete(new Page(response.statusCode(), type, location,
                            body.getBytes(), true))) {
                request.reset();
            }
        });
        response.exceptionHandler(page::tryFail);
        response.endHandler(
                end -> page.tryComplete(
                        new Page(response.statusCode(), type, location, body.getBytes(), false)));
        return page;
    }

    private static <T> T within(Duration timeout, CompletableFuture<T> future)
            throws IOException, InterruptedException {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolRefused refused) {
                throw refused;
            }
            throw new IOException(Objects.requireNonNull(e.getCause()).getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + timeout.toSeconds() + " s", e);
        }
    }

    /// True if an address is of the public internet: false for private, loopback, link-local,
    /// multicast and reserved addresses, and for IPv6 that wraps IPv4.
    static boolean isPublic(InetAddress address) {
        InetSocketAddress any = new InetSocketAddress(address, 0);
        return (address instanceof Inet4Address || address.getAddress()[0] >> 5 == 1)
                && RESERVED.stream().noneMatch(net -> net.matches(any));
    }
}
