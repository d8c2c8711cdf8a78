package io.mlestar.app.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Function;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.handlers.ConsoleHandler;

/// Log lines as text or JSON, with [Controls] shown.
///
/// Text on the console gives a failure's reasons in place of its stack trace, which only helps to
/// find a fault in the program. JSON is one object per line: `timestamp`, `level`, `logger`,
/// `message`, the labels of the work (`run`, `step`, `path`, `agent`), and `exception` with its
/// trace. The log manager's own JSON formatter puts labels into an object of their own and cannot
/// leave out its dozen other fields.
final class LogFormatter extends ExtFormatter {
    private final Function<ExtLogRecord, String> form;

    private LogFormatter(Function<ExtLogRecord, String> form) {
        this.form = form;
    }

    static LogFormatter json() {
        return new LogFormatter(line -> json(line) + "\n");
    }

    /// @param traces whether it has stack traces
    static LogFormatter text(Formatter text, boolean traces) {
        return new LogFormatter(line -> text
                .format(traces || line.getThrown() == null ? line : withReasons(line)));
    }

    /// Sets the form of a handler and of those that it passes lines on to.
    ///
    /// @param traces whether text on the console has stack traces; files always have them
    static void install(Handler handler, boolean json, boolean traces) {
        if (json) {
            handler.setFormatter(json());
        } else if (handler.getFormatter() != null) {
            handler.setFormatter(text(handler.getFormatter(),
                    traces || !(handler instanceof ConsoleHandler)));
        }
        if (handler instanceof ExtHandler outer) {
            for (Handler inner : outer.getHandlers()) {
                install(inner, json, traces);
            }
        }
    }

    @Override
    public String format(ExtLogRecord line) {
        return Controls.shown(form.apply(line));
    }

    // Formatted once, and kept with the line.
    @SuppressWarnings("deprecation")
    private static String json(ExtLogRecord line) {
        ObjectNode json =
                Json.object()
                        .put("timestamp", line.getInstant().toString())
                        .put("level", line.getLevel().getName())
                        .put("logger", line.getLoggerName())
                        .put("message", line.getFormattedMessage());
        line.getMdcCopy().forEach(json::put);
        if (line.getThrown() != null) {
            StringWriter trace = new StringWriter();
            line.getThrown().printStackTrace(new PrintWriter(trace));
            json.put("exception", trace.toString());
        }
        return Json.line(json);
    }

    @SuppressWarnings("deprecation")
    private static ExtLogRecord withReasons(ExtLogRecord line) {
        ExtLogRecord oneLine = new ExtLogRecord(line);
        oneLine.setMessage(Reasons.with(line.getFormattedMessage(), line.getThrown()),
                ExtLogRecord.FormatStyle.NO_FORMAT);
        oneLine.setThrown(null);
        return oneLine;
    }
}
