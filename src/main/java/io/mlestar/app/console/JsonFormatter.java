package io.mlestar.app.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;

/// Log lines as JSON, one object per line: `timestamp`, `level`, `logger`, `message`, what is being worked on (`run`, `step`, `path`,
/// `agent`), and `exception` with its trace. The log manager's own JSON formatter puts labels into an object of their own and has no
/// way to leave out its dozen other fields.
final class JsonFormatter extends ExtFormatter {
    // Formatted once, and kept with the line.
    @SuppressWarnings("deprecation")
    @Override
    public String format(ExtLogRecord line) {
        ObjectNode json = Json.object().put("timestamp", line.getInstant().toString()).put("level", line.getLevel().getName())
                .put("logger", line.getLoggerName()).put("message", line.getFormattedMessage());
        line.getMdcCopy().forEach(json::put);
        if (line.getThrown() != null) {
            StringWriter trace = new StringWriter();
            line.getThrown().printStackTrace(new PrintWriter(trace));
            json.put("exception", trace.toString());
        }
        return Controls.shown(Json.line(json)) + "\n";
    }

    /// Makes a handler, and those that it passes lines on to, write in another form.
    static void use(Formatter formatter, Handler handler) {
        handler.setFormatter(formatter);
        if (handler instanceof ExtHandler outer) {
            for (Handler inner : outer.getHandlers()) {
                use(formatter, inner);
            }
        }
    }
}
