package io.mlestar.app.cli;

import module java.base;

/// A command that was carried out in the process of the test. It cannot be one that starts a
/// server, such as `run`: [Program] starts these.
public record Typed(int exitCode, String out, String err) {
    static Typed run(String... words) {
        return run(stream -> stream, words);
    }

    /// @param store of the runs that the command is about
    static Typed in(Path store, String... words) {
        return run(Stream.concat(Stream.of(words), Stream.of("--store", store.toString())).toArray(String[]::new));
    }

    static Typed run(UnaryOperator<PrintStream> terminal, String... words) {
        return doing(terminal, () -> Mlestar.run(words));
    }

    /// A part of a command.
    ///
    /// @param terminal stands between the command and what it writes to
    /// @param work gives the exit code
    public static Typed doing(UnaryOperator<PrintStream> terminal, IntSupplier work) {
        PrintStream usualOut = System.out;
        PrintStream usualErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(terminal.apply(new PrintStream(out, true, StandardCharsets.UTF_8)));
        System.setErr(terminal.apply(new PrintStream(err, true, StandardCharsets.UTF_8)));
        try {
            int exitCode = work.getAsInt();
            return new Typed(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(usualOut);
            System.setErr(usualErr);
        }
    }

    /// The text that the command printed; it must have ended well.
    public String wellEnded() {
        if (exitCode != 0) {
            throw new AssertionError("exit code " + exitCode + ": " + err);
        }
        return out;
    }
}
