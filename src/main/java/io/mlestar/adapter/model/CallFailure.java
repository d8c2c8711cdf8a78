package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.adapter.model.ModelCatalogue.ModelEntry;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.ProxyRules;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The failure of one request to a model, in words for people.
///
/// @param said what happened and where, without the model's name
/// @param todo what to look at; empty if there is nothing to do but to wait
record CallFailure(FailureKind kind, String said, String todo) {
    private static final int SHOWN = 200;
    private static final int NOT_IMPLEMENTED = 501;
    /// OpenAI answers this, with 429 as if to wait would help, to an account that is out of money
    /// (platform.openai.com/docs/guides/error-codes).
    private static final String NO_CREDIT = "\"insufficient_quota\"";
    /// Some servers answer this, with 500 as if to ask again would help, to a part of a request
    /// that they do not take.
    private static final Pattern NOT_TAKEN =
            Pattern.compile("(?i)not (fully )?support|unsupported|unknown|requires");
    /// Groq answers this with 400, though the request is right: its model has called a tool, or
    /// written JSON, in a form that is none (console.groq.com/docs/tool-use).
    private static final String FAILED_GENERATION = "\"failed_generation\"";

    /// The kind of a failure; `reason` is its name in metrics, `mayPass` whether the same request
    /// may be answered later, and `alive` whether a provider is there at all, so that a run may
    /// begin.
    enum FailureKind {
        /// 429.
        RATE_LIMIT("rate_limit", true, true),
        /// 5xx.
        OVERLOAD("overload", true, true),
        TIMEOUT("timeout", true, true),
        /// There was no connection.
        UNREACHABLE("connection", true, false),
        /// The connection broke.
        CUT("connection", true, true),
        /// Another server than the provider answered: with HTML, or not with HTTP.
        FOREIGN("unreadable", true, false),
        /// The body is not what the protocol says, or an error that says nothing that is known. It
        /// may be billed.
        UNREADABLE("unreadable", true, false),
        /// 401, 402, 403.
        KEY("key", false, false),
        /// 404, or what another server than the provider says at this address.
        NOT_FOUND("not_found", false, false),
        /// The provider says that the request is wrong.
        REFUSED("refused", false, true);

        final String reason;
        final boolean mayPass;
        final boolean alive;

        FailureKind(String reason, boolean mayPass, boolean alive) {
            this.reason = reason;
            this.mayPass = mayPass;
            this.alive = alive;
        }
    }

    @Override
    public String toString() {
        return todo.isEmpty() ? said : said + ": " + todo;
    }

    /// Judges an answer by its status and body; empty if it is a 2xx with JSON.
    static Optional<CallFailure> of(ModelEntry asked, URI address, int status, String body) {
        String where = where(address);
        boolean html = body.stripLeading().startsWith("<");
        if (status / 100 == 2) {
            JsonNode json = ModelProvider.parsed(body);
            if (json.hasNonNull("error")) {
                return Optional.of(new CallFailure(FailureKind.UNREADABLE,
                        where + " answered with an error" + quoted(body), ""));
            }
            if (html) {
                return Optional.of(new CallFailure(FailureKind.FOREIGN,
                        where + " answered with HTML, not JSON", checkAddress(asked)));
            }
            return json.isMissingNode()
                    ? Optional.of(new CallFailure(FailureKind.UNREADABLE,
                            where + " answered with something that is not JSON",
                            checkAddress(asked)))
                    : Optional.empty();
        }
        String answered =
                where + " answered " + status + (html ? " with HTML, not JSON" : quoted(body));
        if (status == 402 || status == 429 && body.contains(NO_CREDIT)) {
            return Optional.of(new CallFailure(FailureKind.KEY, answered,
                    "the account of " + asked.keyVariable() + " has nothing left to spend"));
        }
        if (status == 429) {
            return Optional.of(new CallFailure(FailureKind.RATE_LIMIT, answered, ""));
        }
        if (status >= 500 && status != NOT_IMPLEMENTED) {
            boolean isRefused =
                    !html && NOT_TAKEN.matcher(body).find() && RequestPart.isAnyNamedIn(body);
            return Optional.of(new CallFailure(
                    isRefused ? FailureKind.REFUSED : FailureKind.OVERLOAD, answered, ""));
        }
        if (html || status / 100 == 3 || status == NOT_IMPLEMENTED) {
            return Optional
                    .of(new CallFailure(FailureKind.NOT_FOUND, answered, checkAddress(asked)));
        }
        // Google answers a wrong key with status 400.
        return Optional.of(switch (body.contains("\"API_KEY_INVALID\"") ? 401 : status) {
            case 401, 403 -> new CallFailure(FailureKind.KEY, answered,
                    "check the API key, " + asked.keyVariable());
            case 404 -> new CallFailure(FailureKind.NOT_FOUND, answered,
                    "is the name of the model right, and " + asked.addressVariable() + "?");
            case 407 -> new CallFailure(FailureKind.KEY, answered,
                    "the proxy wants a user and a password: check HTTPS_PROXY and HTTP_PROXY");
            case 408 -> new CallFailure(FailureKind.TIMEOUT, answered, "");
            default -> new CallFailure(
                    body.contains(FAILED_GENERATION) ? FailureKind.UNREADABLE : FailureKind.REFUSED,
                    answered, "");
        });
    }

    /// True if the provider itself refuses the request, as far as one can tell.
    boolean isRefusal() {
        return switch (kind) {
            case REFUSED, NOT_FOUND, UNREADABLE -> true;
            case RATE_LIMIT, OVERLOAD, TIMEOUT, UNREACHABLE, CUT, FOREIGN, KEY -> false;
        };
    }

    /// Judges a request without a whole answer.
    ///
    /// @param proxy between here and there
    /// @param sent whether the request was being sent
    static CallFailure of(
            ModelEntry asked,
            URI address,
            Optional<ProxyRules.ProxyServer> proxy,
            boolean sent,
            IOException e) {
        String where = where(address) + proxy.map(between -> " through " + between).orElse("");
        String check = proxy.map(between -> "is " + between.variable() + " right?")
                .orElse(checkAddress(asked));
        if (cause(e, UnresolvedAddressException.class).isPresent()) {
            return new CallFailure(FailureKind.UNREACHABLE,
                    "there is no host "
                            + proxy.map(ProxyRules.ProxyServer::host).orElse(address.getHost())
                            + " (" + where + ")",
                    check);
        }
        return switch (e) {
            case HttpConnectTimeoutException late ->
                new CallFailure(FailureKind.UNREACHABLE, "no connection to " + where, check);
            case ConnectException refused ->
                new CallFailure(FailureKind.UNREACHABLE, "connection refused at " + where, check);
            case SSLException insecure ->
                new CallFailure(FailureKind.UNREACHABLE,
                        "no secure connection to " + where + quoted(insecure.getMessage()), check);
            case ProtocolException strange ->
                new CallFailure(FailureKind.FOREIGN, where + " does not speak HTTP", check);
            default -> sent
                    ? new CallFailure(FailureKind.CUT,
                            "the connection to " + where + " broke before the answer was whole", "")
                    : new CallFailure(FailureKind.UNREACHABLE,
                            "no connection to " + where + quoted(e.getMessage()), check);
        };
    }

    static CallFailure late(URI address, Duration after) {
        return new CallFailure(FailureKind.TIMEOUT, String.format(Locale.ROOT,
                "no answer from %s within %.1f s", where(address), after.toMillis() / 1e3), "");
    }

    /// A body that the provider's client cannot read.
    static CallFailure unreadable(RuntimeException e) {
        return new CallFailure(FailureKind.UNREADABLE,
                "the answer makes no sense" + quoted(e.getMessage()), "");
    }

    private static String checkAddress(ModelEntry asked) {
        return "is " + asked.addressVariable() + " right?";
    }

    private static String where(URI address) {
        return address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath();
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }

    /// The message in a provider's error, without the JSON around it.
    private static String quoted(@Nullable String body) {
        String text = body == null ? "" : body;
        JsonNode error = ModelProvider.parsed(text).path("error");
        text = error.isTextual() ? error.asText() : error.path("message").asText(text);
        return text.isBlank() ? "" : ": " + Excerpt.line(text, SHOWN);
    }
}
