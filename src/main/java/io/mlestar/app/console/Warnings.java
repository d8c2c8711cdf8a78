package io.mlestar.app.console;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;

/// Shows whoever waits for a run what the log warns of: one line each, and the same line once. What happens to steps is left to
/// the progress lines, and other programs' libraries are heard only if something is wrong.
public final class Warnings extends Handler implements AutoCloseable {
    private static final String OURS = "mle_star";
    /// What the log says of steps.
    private static final String OF_STEP = "event=";

    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final Consumer<String> console;

    public Warnings(Consumer<String> console) {
        this.console = console;
    }

    public void listen() {
        Logger.getLogger("").addHandler(this);
    }

    @SuppressWarnings("deprecation")
    @Override
    public void publish(LogRecord record) {
        String logger = record.getLoggerName() == null ? "" : record.getLoggerName();
        boolean ours = logger.equals(OURS) || logger.startsWith(OURS + ".");
        String text = ExtLogRecord.wrap(record).getFormattedMessage();
        if (record.getLevel().intValue() >= (ours ? Level.WARNING : Level.SEVERE).intValue() && !(ours && text.startsWith(OF_STEP))) {
            say(record.getThrown() == null ? text : Reasons.with(text, record.getThrown()));
        }
    }

    /// Shows one line, unless that has been shown.
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
