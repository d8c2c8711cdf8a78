package io.mlestar.app.start;

/// The source of a request for a run, which decides how far the request is trusted.
public sealed interface Caller {
    /// The user of the command line, on whose machine and account the run works: chooses folders,
    /// commands, addresses and prices.
    record CommandLine() implements Caller {}

    /// The sender of an event, an assistant over MCP or the web page: has what [Admission] allows.
    ///
    /// @param origin what tells this request from all others, e.g. source and id of the event; the
    ///   same origin names the same run
    record Sender(String origin) implements Caller {}
}
