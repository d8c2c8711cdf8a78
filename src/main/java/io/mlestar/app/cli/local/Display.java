package io.mlestar.app.cli.local;

import io.mlestar.app.console.Terminal;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Excerpt;
import io.mlestar.show.render.Formats;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The ways to show a run on stderr while it goes on. Also prints its lines there.
public enum Display {
    /// Only the result.
    NOTHING,
    /// A line for each thing worth knowing: for files, pipes, continuous integration and terminals
    /// that can do no more.
    LINES,
    /// The same, and a last line that shows the steps in flight.
    BAR,
    /// The same in colours.
    COLOURS;

    /// Setting of the process by which the command line tells the server.
    static final String SETTING = "mle_star.display";
    /// Marks the line of the best score so far.
    static final String BEST = "  best so far";
    static final String WARNING = "warning: ";
    private static final int WIDTH = 110;
    private static final String CLEAR = "\r\033[K";

    /// @param quiet whether the user wants to see the result only
    static Display of(boolean quiet, Map<String, String> environment) {
        if (quiet) {
            return NOTHING;
        }
        return Terminal.isAt(2) ? ofTerminal(environment) : LINES;
    }

    static Display ofTerminal(Map<String, String> environment) {
        String kind = environment.getOrDefault("TERM", "");
        boolean isPlain = kind.isEmpty() || kind.equals("dumb")
                || !environment.getOrDefault("CI", "").isEmpty();
        if (isPlain) {
            return LINES;
        }
        return environment.getOrDefault("NO_COLOR", "").isEmpty() ? COLOURS : BAR;
    }

    private boolean hasBar() {
        return this == BAR || this == COLOURS;
    }

    /// Prints a line in place of the bar. A thread that holds the stream's monitor has the last
    /// word.
    void print(PrintStream out, String line) {
        synchronized (out) {
            clear(out);
            String warning = line.startsWith(WARNING) ? "33" : "";
            String colour = line.contains(BEST) ? "32" : warning;
            if (this == COLOURS && !colour.isEmpty()) {
                Terminal.coloured(out, "\033[" + colour + "m" + Controls.shown(line) + "\033[0m");
            } else {
                out.println(line);
            }
        }
    }

    /// Draws the bar anew.
    void bar(PrintStream out, String line) {
        if (hasBar()) {
            synchronized (out) {
                clear(out);
                out.print(Excerpt.clip(line, WIDTH));
                out.flush();
            }
        }
    }

    /// Removes the bar.
    void clear(PrintStream out) {
        if (hasBar()) {
            Terminal.send(out, CLEAR);
        }
    }

    /// A text, shortened to fit into a line.
    static String clip(@Nullable String text) {
        return Formats.line(text, WIDTH);
    }
}
