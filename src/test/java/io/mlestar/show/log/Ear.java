package io.mlestar.show.log;

import module java.base;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Hears what is logged under a name, until it is closed.
public final class Ear implements AutoCloseable {
    private final Logger logger;
    private final Handler handler;

    public Ear(String name, Consumer<LogRecord> heard) {
        this.logger = Logger.getLogger(name);
        this.handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord line) {
                heard.accept(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
