package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// What went wrong in one try to ask a model, in words for people.
///
/// @param said what happened and where, without the model's name
/// @param todo what to look at; empty if there is nothing to do but to wait
record CallFailure(FailureKind kind, String said, String todo) {
    private static final int SHOWN = 200;
    private static final int NOT_IMPLEMENTED = 501;
    /// With 429, as if to wait would help: what OpenAI answers an account that is out of money (platform.openai.com/docs/guides/error-codes).
    private static final String NO_CREDIT = "\"insufficient_quota\"";

    enum FailureKind {
        /// 429.
        RATE_LIMIT("rate_limit"),
        /// 5xx.
        OVERLOAD("overload"),
        TIMEOUT("timeout"),
        /// There was no connection.
        UNREACHABLE("connection"),
        /// There was one, and it broke.
        CUT("connection"),
        /// Somebody else than the provider answered: a page of HTML, or no HTTP at all.
        FOREIGN("unreadable"),
        /// A body that makes no sense.
        UNREADABLE("unreadable"),
        /// 401, 402, 403.
        KEY("key"),
        /// 404, or what somebody else than the provider says at this address.
        NOT_FOUND("not_found"),
        /// The provider says that the question itself is wrong.
        REFUSED("refused");

        private final String reason;

        FailureKind(String reason) {
            this.reason = reason;
        }

        /// As metrics name it.
        String reason() {
            return reason;
        }

        /// Whether the same request may be answered later.
        boolean mayPass() {
            return switch (this) {
                case RATE_LIMIT, OVERLOAD, TIMEOUT, UNREACHABLE, CUT, FOREIGN, UNREADABLE -> true;
                case KEY, NOT_FOUND, REFUSED -> false;
            };
        }

        /// Whether a provider is there at all, so that a run may begin.
        boolean isAlive() {
            return switch (this) {
                case RATE_LIMIT, OVERLOAD, TIMEOUT, CUT, REFUSED -> true;
                case UNREACHABLE, FOREIGN, UNREADABLE, KEY, NOT_FOUND -> false;
            };
        }
    }

    @Override
    public String toString() {
        return todo.isEmpty() ? said : said + ": " + todo;
    }

    /// Of an answer's status and body; empty if the body of a 200 looks right from here.
    static Optional<CallFailure> of(ModelCatalogue.ModelEntry asked, URI address, int status, String body) {
        String where = where(address);
        boolean html = body.stripLeading().startsWith("<");
        if (status / 100 == 2) {
            return html ? Optional.of(new CallFailure(FailureKind.FOREIGN, where + " answered with HTML, not JSON", right(asked)))
                    : isJson(body) ? Optional.empty()
                    : Optional.of(new CallFailure(FailureKind.UNREADABLE, where + " answered with something that is not JSON", right(asked)));
        }
        String answered = where + " answered " + status + (html ? " with HTML, not JSON" : told(body));
        if (status == 402 || status == 429 && body.contains(NO_CREDIT)) {
            return Optional.of(new CallFailure(FailureKind.KEY, answered, "the account of " + asked.keyVariable() + " has nothing left to spend"));
        }
        if (status == 429) {
            return Optional.of(new CallFailure(FailureKind.RATE_LIMIT, answered, ""));
        }
        if (status >= 500 && status != NOT_IMPLEMENTED) {
            return Optional.of(new CallFailure(FailureKind.OVERLOAD, answered, ""));
        }
        if (html || status / 100 == 3 || status == NOT_IMPLEMENTED) {
            return Optional.of(new CallFailure(FailureKind.NOT_FOUND, answered, right(asked)));
        }
        // Google says so with status 400.
        return Optional.of(switch (body.contains("\"API_KEY_INVALID\"") ? 401 : status) {
            case 401, 403 -> new CallFailure(FailureKind.KEY, answered, "check the API key, " + asked.keyVariable());
            case 404 -> new CallFailure(FailureKind.NOT_FOUND, answered, "is the name of the model right, and " + asked.addressVariable() + "?");
            case 408 -> new CallFailure(FailureKind.TIMEOUT, answered, "");
            default -> new CallFailure(FailureKind.REFUSED, answered, "");
        });
    }

    /// Of a try without a whole answer.
    ///
    /// @param sent whether the provider had been told something by then
    static CallFailure of(ModelCatalogue.ModelEntry asked, URI address, boolean sent, IOException e) {
        String where = where(address);
        if (cause(e, UnresolvedAddressException.class).isPresent()) {
            return new CallFailure(FailureKind.UNREACHABLE, "there is no host " + address.getHost() + " (" + where + ")", right(asked));
        }
        return switch (e) {
            case HttpConnectTimeoutException late -> new CallFailure(FailureKind.UNREACHABLE, "no connection to " + where, right(asked));
            case ConnectException refused -> new CallFailure(FailureKind.UNREACHABLE, "connection refused at " + where, right(asked));
            case SSLException insecure ->
                    new CallFailure(FailureKind.UNREACHABLE, "no secure connection to " + where + told(insecure.getMessage()), right(asked));
            case ProtocolException strange -> new CallFailure(FailureKind.FOREIGN, where + " does not speak HTTP", right(asked));
            default -> sent ? new CallFailure(FailureKind.CUT, "the connection to " + where + " broke before the answer was whole", "")
                    : new CallFailure(FailureKind.UNREACHABLE, "no connection to " + where + told(e.getMessage()), right(asked));
        };
    }

    static CallFailure late(URI address, Duration after) {
        return new CallFailure(FailureKind.TIMEOUT, String.format(Locale.ROOT, "no answer from %s within %.1f s", where(address), after.toMillis() / 1e3), "");
    }

    /// Of a body that the provider's client cannot read.
    static CallFailure unreadable(RuntimeException e) {
        return new CallFailure(FailureKind.UNREADABLE, "the answer makes no sense" + told(e.getMessage()), "");
    }

    private static boolean isJson(String body) {
        try {
            Json.parse(body);
            return true;
        } catch (Invalid e) {
            return false;
        }
    }

    private static String right(ModelCatalogue.ModelEntry asked) {
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

    /// What a provider says in its error, without the JSON around it.
    private static String told(@Nullable String body) {
        String text = body == null ? "" : body;
        try {
            JsonNode error = Json.parse(text).path("error");
            text = error.isTextual() ? error.asText() : error.path("message").asText(text);
        } catch (Invalid e) {
            // It is said as it came.
        }
        String line = text.replaceAll("\\s+", " ").strip();
        return line.isEmpty() ? "" : ": " + (line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…");
    }
}
