package io.mlestar.app.console;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.logging.ErrorManager;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;

/// Shows the log's warnings to a user who waits for a run: one line each, and each line once. The
/// progress lines tell what happens to steps, and libraries are heard only if something is wrong.
public final class Warnings extends Handler implements AutoCloseable {
    private static final String PROJECT = "mle_star";
    /// Begins the log lines about steps.
    private static final String STEP_EVENT = "event=";

    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final Consumer<String> console;

    public Warnings(Consumer<String> console) {
        this.console = console;
    }

    public void listen() {
        Logger.getLogger("").addHandler(this);
    }

    @Override
    public void publish(LogRecord record) {
        try {
            warn(record);
        } catch (RuntimeException e) {
            // The work that wrote the log line goes on.
            reportError("a warning cannot be shown", e, ErrorManager.WRITE_FAILURE);
        }
    }

    @SuppressWarnings("deprecation")
    private void warn(LogRecord record) {
        String logger = record.getLoggerName() == null ? "" : record.getLoggerName();
        boolean own = logger.equals(PROJECT) || logger.startsWith(PROJECT + ".");
        String text = ExtLogRecord.wrap(record).getFormattedMessage();
        if (record.getLevel().intValue() >= (own ? Level.WARNING : Level.SEVERE).intValue()
                && !(own && text.startsWith(STEP_EVENT))) {
            say(record.getThrown() == null ? text : Reasons.with(text, record.getThrown()));
        }
    }

    /// Shows a line, unless it has been shown before.
    public void say(String text) {
        String line = "warning: " + text.strip().replaceAll("\\s+", " ");
        if (said.add(line)) {
            console.accept(line);
        }
    }

    @Override
    public void flush() {
        // Each line is shown at once.
    }

    @Override
    public void close() {
        Logger.getLogger("").removeHandler(this);
    }
}
