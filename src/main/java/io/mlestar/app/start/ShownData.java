package io.mlestar.app.start;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The folder that the tools of an agent show during one answer. It is made when a tool asks for it, and removed after the answer.
final class ShownData implements AutoCloseable {
    private final Supplier<Path> make;
    private final Consumer<Path> remove;
    private @Nullable Path folder;

    ShownData(Supplier<Path> make, Consumer<Path> remove) {
        this.make = make;
        this.remove = remove;
    }

    synchronized Path folder() {
        folder = folder == null ? make.get() : folder;
        return folder;
    }

    @Override
    public synchronized void close() {
        if (folder != null) {
            remove.accept(folder);
        }
    }
}
