package io.mlestar.app.http;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Functions;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.MultiMap;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Refuses requests of other sites (CSRF, DNS rebinding) and of strangers, before their body is
/// read: by the name of the server that they call, the page that made the browser send them, and
/// the token. All that changes something needs the token; on a server that other machines can
/// reach, everything does. Behind Knative there is no token, and any name is right unless names are
/// given: the network in front decides.
@Singleton
public class Guard {
    /// Tests put one handler before it.
    static final int FIRST = Integer.MIN_VALUE + 1;
    /// A hidden function is 404 by any method.
    private static final int AFTER_THE_ROLE = -890;
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");
    private static final String QUERY = "token";
    private static final String BEARER = "Bearer ";
    private static final String NEEDED =
            "this needs the server's token: open the address that mlestar serve has printed, or send the header "
                    + "Authorization: Bearer TOKEN";
    private static final String LOCKED =
            "without MLE_STAR_TOKEN a server behind Knative is read, and a function takes events; set it to steer runs, to call "
                    + "an agent by plain JSON, and to use tools";

    private final AllowedHosts hosts;
    private final Token token;
    private final boolean knative;
    private final boolean readable;
    private final boolean takesEvents;
    private final boolean locked;
    private final Duration bodyPatience;
    private final String greeting;
    private final String seenAs;

    /// @param bound address that the server listens on
    /// @param named by the operator
    /// @param service set where Knative stands in front
    /// @param role what this process serves
    /// @param given the operator's own token
    /// @param servesAllRuns a server for all runs prints its address, with the token if it made
    ///   that
    /// @param bodyPatience how long a client may take to send a body
    Guard(
            @ConfigProperty(name = "quarkus.http.host", defaultValue = "127.0.0.1") String bound,
            @ConfigProperty(name = "mle_star.host.names") Optional<List<String>> named,
            @ConfigProperty(name = "k.service") Optional<String> service,
            Role role,
            @ConfigProperty(name = "mle_star.token") Optional<String> given,
            @ConfigProperty(name = "mle_star.all.runs",
                    defaultValue = "false") boolean servesAllRuns,
            @ConfigProperty(name = "mle_star.body.timeout",
                    defaultValue = "PT30S") Duration bodyPatience) {
        this.knative = service.isPresent();
        this.hosts = AllowedHosts.of(bound, named.orElse(List.of()), knative);
        // A random token locks what needs one; the process uses it for its own requests.
        this.token = given.map(Token::new).orElseGet(Token::random);
        this.locked = knative && given.isEmpty();
        this.readable = locked || !knative && AllowedHosts.isLoopback(bound);
        this.takesEvents = knative && role instanceof Role.Only;
        this.bodyPatience = bodyPatience;
        String entrance = given.isEmpty() ? "/?" + QUERY + "=" + token.value() : "/";
        this.greeting = servesAllRuns && !knative ? entrance : "";
        this.seenAs = named.flatMap(names -> names.stream().findFirst())
                .orElseGet(() -> AllowedHosts.usual(bound));
    }

    void install(@Observes Router router) {
        router.route().order(FIRST).handler(this::check);
        router.route().order(AFTER_THE_ROLE).handler(Guard::checkMethod);
    }

    /// The address goes to stderr and not to the log: a log may be kept, and read by others.
    void greet(
            @ObservesAsync HttpServerStart start,
            HttpServer server,
            @ConfigProperty(name = "mle_star.log.format", defaultValue = "text") String format) {
        if (!greeting.isEmpty()) {
            String address = "http://" + seenAs + ":" + server.getPort() + greeting;
            System.err.println(format.equals("json")
                    ? Json.line(Json.object().put("message", "open").put("url", address))
                    : "open " + address + " (Ctrl-C stops the server)");
        }
    }

    /// The headers with which this process calls itself.
    public Map<String, String> identity() {
        return Map.of("Authorization", BEARER + token.value());
    }

    private void check(RoutingContext context) {
        HttpServerRequest request = context.request();
        // A handler whose answer may be kept says so.
        context.response()
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store");
        if (request.headers().getAll("Host").size() > 1 || !hosts.answers(authority(request))) {
            throw new HttpError(421,
                    "the request is for another host; this one answers to localhost and the names of serve --host-name");
        }
        boolean reads = READS.contains(request.method());
        checkLength(context);
        checkSender(request, reads);
        if (entered(context, reads)) {
            return;
        }
        if (!reads) {
            expectBody(context);
        }
        context.next();
    }

    /// Refuses two lengths in one request, like [StrictRequestDecoder], which sees neither HTTP/1.0
    /// nor encodings that are not chunked.
    private static void checkLength(RoutingContext context) {
        MultiMap headers = context.request().headers();
        if (headers.contains("Content-Length") && headers.contains("Transfer-Encoding")) {
            context.response().putHeader("Connection", "close");
            context.addEndHandler(sent -> context.request().connection().close());
            throw new HttpError(400,
                    "the request says its length twice, by Content-Length and by Transfer-Encoding");
        }
    }

    /// The host that the target names, if it does; else that of the header (RFC 9112, 3.2.2).
    private static String authority(HttpServerRequest request) {
        Matcher target = ABSOLUTE.matcher(request.uri());
        if (target.lookingAt()) {
            return target.group(1);
        }
        String host = request.getHeader("Host");
        return host != null || request.authority() == null ? host : request.authority().toString();
    }

    /// Refuses what a page of another site made the browser send, but for a link to one of our
    /// pages. Programs that are no browsers send neither header.
    private void checkSender(HttpServerRequest request, boolean reads) {
        String site = request.getHeader("Sec-Fetch-Site");
        String origin = request.getHeader("Origin");
        boolean here = reads
                ? site == null || site.equals("same-origin") || site.equals("none")
                        || "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
                : (site == null || site.equals("same-origin"))
                        && (origin == null || hosts.isOurPage(origin, authority(request)));
        if (!here) {
            throw new HttpError(403, "this request comes from another site");
        }
    }

    /// Funqy would call a function for a GET, and take an event by any method.
    private static void checkMethod(RoutingContext context) {
        HttpServerRequest request = context.request();
        boolean reads = READS.contains(request.method());
        boolean work =
                Envelope.isEvent(request)
                        || Functions.exported(context.normalizedPath().substring(1)).isPresent();
        boolean tools = context.normalizedPath().equals("/mcp")
                && HttpMethod.DELETE.equals(request.method());
        if (!HttpMethod.POST.equals(request.method()) && !tools && (!reads || work)) {
            context.response().putHeader("Allow", work ? "POST" : "GET, HEAD, POST");
            throw new HttpError(405,
                    work ? "this is done by POST only" : "the method is not known here");
        }
        context.next();
    }

    /// @return whether the request has been answered
    private boolean entered(RoutingContext context, boolean reads) {
        HttpServerRequest request = context.request();
        String name = "mlestar-token-" + request.localAddress().port();
        String asked = HttpMethod.GET.equals(request.method()) ? request.getParam(QUERY) : null;
        if (asked != null && token.is(asked)) {
            context.response()
                    .addCookie(Cookie.cookie(name, token.value())
                            .setPath("/")
                            .setHttpOnly(true)
                            .setSameSite(CookieSameSite.STRICT));
            context.response()
                    .setStatusCode(303)
                    .putHeader("Location", clean(context))
                    .putHeader("Referrer-Policy", "no-referrer")
                    .end();
            return true;
        }
        String bearer = request.getHeader("Authorization");
        Cookie cookie = request.getCookie(name);
        boolean shown =
                bearer != null && bearer.startsWith(BEARER)
                        && token.is(bearer.substring(BEARER.length()).strip())
                        || cookie != null && token.is(cookie.getValue());
        if (!shown && (asked != null || !(reads
                ? readable || isFree(context.normalizedPath())
                : takesEvents && Envelope.isEvent(request)))) {
            if (locked) {
                throw new HttpError(403, LOCKED);
            }
            context.response().putHeader("WWW-Authenticate", "Bearer");
            throw new HttpError(401, asked != null ? "this is not the server's token" : NEEDED);
        }
        return false;
    }

    /// True if the path tells nothing about runs: health, the style of the pages, and in a cluster
    /// the metrics, since a scraper has no token.
    private boolean isFree(String path) {
        return path.equals("/q/health") || path.startsWith("/q/health/") || path.startsWith("/web/")
                || knative && path.equals("/q/metrics");
    }

    /// The address without the token, so that it is in no history and no bookmark.
    private static String clean(RoutingContext context) {
        QueryStringEncoder address = new QueryStringEncoder(context.normalizedPath());
        context.queryParams().forEach((name, value) -> {
            if (!name.equals(QUERY)) {
                address.addParam(name, value);
            }
        });
        return address.toString();
    }

    /// A client that sends a body and never ends holds a connection no longer than that.
    private void expectBody(RoutingContext context) {
        HttpServerRequest request = context.request();
        long timer = context.vertx().setTimer(bodyPatience.toMillis(), late -> {
            if (!request.isEnded() && !context.response().ended()) {
                context.response().putHeader("Connection", "close");
                context.addEndHandler(sent -> request.connection().close());
                context.fail(new HttpError(408,
                        "the body did not come within " + bodyPatience.toSeconds() + " s"));
            }
        });
        context.addEndHandler(ended -> context.vertx().cancelTimer(timer));
    }
}
