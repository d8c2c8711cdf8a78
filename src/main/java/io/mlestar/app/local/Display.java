package io.mlestar.app.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// How a run is shown on stderr while it goes on.
public enum Display {
    /// Not at all: the result is enough.
    NOTHING,
    /// A line for each thing worth knowing: for files, pipes, continuous integration and terminals that can do no more.
    LINES,
    /// The same, and a last line that says what is being done now.
    BAR,
    /// The same in colours.
    COLOURS;

    /// Setting of the process by which the command line tells the server.
    public static final String SETTING = "mle.star.display";

    /// @param quiet whether the user wants to see the result only
    public static Display of(boolean quiet, Map<String, String> environment) {
        return quiet ? NOTHING : isTerminal() ? ofTerminal(environment) : LINES;
    }

    /// What a terminal gets.
    static Display ofTerminal(Map<String, String> environment) {
        String kind = environment.getOrDefault("TERM", "");
        boolean isPlain = kind.isEmpty() || kind.equals("dumb") || !environment.getOrDefault("CI", "").isEmpty();
        return isPlain ? LINES : environment.getOrDefault("NO_COLOR", "").isEmpty() ? COLOURS : BAR;
    }

    boolean hasBar() {
        return this == BAR || this == COLOURS;
    }

    /// Whether stderr is one. Java knows of stdin and stdout only.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString().matches("/dev/(pts/[0-9]+|tty.*|console)");
        } catch (IOException | UnsupportedOperationException e) {
            return System.console() != null && System.console().isTerminal();
        }
    }
}
