package io.mlestar.cli;

import java.util.logging.Formatter;
import java.util.logging.Handler;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.handlers.ConsoleHandler;

/// Log lines that give a failure's reasons in place of its stack trace, which is for those who look for a fault in the program.
final class OneLine extends ExtFormatter {
    private final Formatter inner;

    OneLine(Formatter inner) {
        this.inner = inner;
    }

    /// Makes a handler write so, if it writes to the console.
    static void on(Handler handler) {
        if (handler instanceof ConsoleHandler) {
            handler.setFormatter(new OneLine(handler.getFormatter()));
        }
    }

    @Override
    public String format(ExtLogRecord line) {
        if (line.getThrown() == null) {
            return inner.format(line);
        }
        ExtLogRecord told = new ExtLogRecord(line);
        told.setMessage(Reasons.with(line.getFormattedMessage(), line.getThrown()), ExtLogRecord.FormatStyle.NO_FORMAT);
        told.setThrown(null);
        return inner.format(told);
    }
}
