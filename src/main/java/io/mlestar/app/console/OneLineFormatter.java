package io.mlestar.app.console;

import io.mlestar.core.base.Controls;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.handlers.ConsoleHandler;

/// Log lines with [Controls] shown, which on the console give a failure's reasons in place of its stack trace: that is for those who look
/// for a fault in the program.
final class OneLineFormatter extends ExtFormatter {
    private final Formatter inner;
    private final boolean traces;

    /// @param traces whether stack traces stay
    OneLineFormatter(Formatter inner, boolean traces) {
        this.inner = inner;
        this.traces = traces;
    }

    /// Makes a handler, and those that it passes lines on to, write so.
    ///
    /// @param traces whether stack traces stay on the console too
    static void on(Handler handler, boolean traces) {
        if (handler.getFormatter() != null) {
            handler.setFormatter(new OneLineFormatter(handler.getFormatter(), traces || !(handler instanceof ConsoleHandler)));
        }
        if (handler instanceof ExtHandler outer) {
            for (Handler further : outer.getHandlers()) {
                on(further, traces);
            }
        }
    }

    // Formatted once, and kept with the line.
    @SuppressWarnings("deprecation")
    @Override
    public String format(ExtLogRecord line) {
        ExtLogRecord told = line;
        if (line.getThrown() != null && !traces) {
            told = new ExtLogRecord(line);
            told.setMessage(Reasons.with(line.getFormattedMessage(), line.getThrown()), ExtLogRecord.FormatStyle.NO_FORMAT);
            told.setThrown(null);
        }
        return Controls.shown(inner.format(told));
    }
}
