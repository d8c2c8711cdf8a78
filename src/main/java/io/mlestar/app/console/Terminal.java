package io.mlestar.app.console;

import io.mlestar.core.base.Controls;
import java.io.BufferedReader;
import java.io.Console;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Optional;

/// What the program writes to: text that is printed has its [Controls] shown, whatever it came from; only what is written as bytes is
/// sent as it is.
public final class Terminal extends PrintStream {
    private static final String COLOUR = "(?<=\033\\[\\d{1,2}m)|(?=\033\\[\\d{1,2}m)";

    public Terminal(PrintStream inner) {
        super(inner, true, inner.charset());
    }

    /// Puts all that is printed from now on through.
    public static void guard() {
        System.setOut(new Terminal(System.out));
        System.setErr(new Terminal(System.err));
    }

    /// What whoever sits at the terminal types; empty if there is none.
    public static Optional<BufferedReader> input() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal)
                .map(console -> new BufferedReader(new InputStreamReader(System.in, console.charset())));
    }

    /// Sends an order of the program's own.
    public static void send(PrintStream out, String order) {
        out.writeBytes(order.getBytes(out.charset()));
    }

    /// Prints a line to stdout whose colours are the program's own.
    public static void coloured(String line) {
        coloured(System.out, line);
    }

    /// Prints a line whose colours are the program's own.
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
