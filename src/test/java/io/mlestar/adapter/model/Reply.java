package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import module java.base;

/// The answer of a made-up model, before a provider's server writes it in that provider's form.
record Reply(String text, List<Call> calls, Stop stop) {
    /// Why the model stopped; each provider has its own words for it.
    enum Stop { DONE, TOOLS, LENGTH }

    /// @param arguments a text stands for arguments that are not JSON, where a provider can send
    ///   such
    record Call(String name, JsonNode arguments) {}

    static Reply text(String text) {
        return new Reply(text, List.of(), Stop.DONE);
    }

    static Reply calls(Call... calls) {
        return new Reply("", List.of(calls), Stop.TOOLS);
    }

    /// @param arguments JSON
    static Call call(String name, String arguments) {
        return new Call(name, Json.parse(arguments));
    }

    /// The same answer, as if the limit of tokens had come in the middle of it.
    Reply cutInHalf() {
        return new Reply(text.substring(0, text.length() / 2), List.of(), Stop.LENGTH);
    }

    long tokens() {
        return tokens(text) + calls.stream().mapToLong(call -> tokens(call.name() + call.arguments())).sum();
    }

    /// A token is four characters, so that a test can work out the usage.
    static long tokens(String text) {
        return (text.length() + 3) / 4;
    }
}
