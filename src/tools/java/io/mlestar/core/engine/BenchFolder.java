package io.mlestar.core.engine;

import module java.base;

/// A folder that lasts as long as a part of the bench needs it.
public record BenchFolder(Path path) implements AutoCloseable {
    public static BenchFolder make() throws IOException {
        return new BenchFolder(Files.createTempDirectory("bench"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
