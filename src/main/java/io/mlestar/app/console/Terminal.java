package io.mlestar.app.console;

import io.mlestar.core.base.Controls;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The stream of a terminal. Printed text has its [Controls] shown, whatever its source; only bytes
/// are sent unchanged.
public final class Terminal extends PrintStream {
    private static final String COLOUR = "(?<=\033\\[\\d{1,2}m)|(?=\033\\[\\d{1,2}m)";

    public Terminal(PrintStream inner) {
        super(inner, true, inner.charset());
    }

    /// Guards all that the process prints from now on.
    public static void guard() {
        System.setOut(new Terminal(System.out));
        System.setErr(new Terminal(System.err));
    }

    /// The lines that the user types; empty if the process has no terminal.
    public static Optional<BufferedReader> input() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> new BufferedReader(
                        new InputStreamReader(System.in, console.charset())));
    }

    /// True if this stream of the process is a terminal. Java can only say so of stdin and stdout
    /// together.
    ///
    /// @param descriptor 1 is stdout, 2 is stderr
    @SuppressWarnings("SystemConsoleNull")
    public static boolean isAt(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString()
                    .matches("/dev/(pts/[0-9]+|tty.*|console)");
        } catch (IOException | UnsupportedOperationException e) {
            return System.console() != null && System.console().isTerminal();
        }
    }

    /// Prepares the content of a file for stdout: at a terminal its [Controls] are shown, elsewhere
    /// nothing changes.
    public static byte[] shown(byte[] content, boolean isTerminal) {
        return isTerminal
                ? Controls.shown(new String(content, StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8)
                : content;
    }

    /// Sends a control sequence of the program itself.
    public static void send(PrintStream out, String sequence) {
        out.writeBytes(sequence.getBytes(out.charset()));
    }

    /// Prints a line to stdout whose colours the program has set itself.
    public static void coloured(String line) {
        coloured(System.out, line);
    }

    public static void coloured(PrintStream out, String line) {
        for (String part : line.split(COLOUR, -1)) {
            if (part.matches("\033\\[\\d{1,2}m")) {
                send(out, part);
            } else {
                out.print(part);
            }
        }
        out.println();
    }

    @Override
    public void print(String text) {
        super.print(Controls.shown(String.valueOf(text)));
    }

    @Override
    public void print(Object value) {
        print(String.valueOf(value));
    }

    @Override
    public void print(char value) {
        print(String.valueOf(value));
    }

    @Override
    public void print(char[] text) {
        print(String.valueOf(text));
    }
}
