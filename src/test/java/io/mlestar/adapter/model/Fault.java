package io.mlestar.adapter.model;

import module java.base;

/// One thing that goes wrong, or comes out of the ordinary, in one request.
sealed interface Fault {
    /// An error in the provider's own shape.
    record Status(int code, Map<String, String> headers) implements Fault {}

    /// Something else than the provider answers, e.g. a gateway with a page of HTML.
    record Foreign(int code, String contentType, String body) implements Fault {}

    /// The connection is closed.
    enum Cut implements Fault { BEFORE_THE_ANSWER, IN_THE_BODY }

    /// Status 200, and half of the JSON.
    enum Malformed implements Fault { BODY }

    /// The right answer, late.
    record Slow(Duration delay) implements Fault {}

    /// Another answer in place of the right one.
    ///
    /// @param change is given the right one, to be asked for only if it is wanted: there may be
    ///   none
    record Changed(Function<Supplier<Reply>, Reply> change) implements Fault {}

    int HUGE = 200 * 1024;
    String UNICODE =
            "naïve 模型 🦜👩‍🔬 \u202Eright to left\u202C, a \"quote\", a \\, a tab\t, é and e\u0301\r\n\u2028end";

    static Fault status(int code) {
        return new Status(code, Map.of());
    }

    static Fault status(int code, String retryAfter) {
        return new Status(code, Map.of("retry-after", retryAfter));
    }

    static Fault slow(Duration delay) {
        return new Slow(delay);
    }

    static Fault instead(Reply reply) {
        return new Changed(_ -> reply);
    }

    static Fault emptyText() {
        return instead(Reply.text(""));
    }

    /// 200 KB of text.
    static Fault huge() {
        return instead(Reply.text("0123456789abcde\n".repeat(HUGE / 16)));
    }

    static Fault unicode() {
        return instead(Reply.text(UNICODE));
    }

    static Fault truncated() {
        return new Changed(right -> right.get().cutInHalf());
    }

    /// The model wants a tool first; the request that brings the result gets the right answer,
    /// unless another fault waits for it.
    static Fault toolFirst(String name, String arguments) {
        return instead(Reply.calls(Reply.call(name, arguments)));
    }
}
