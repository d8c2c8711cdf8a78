package io.mlestar.core.store;

import module java.base;

/// A process of its own that writes to a folder store, for [FolderStoreTest].
final class StoreWriter {
    static final String READY = "ready";

    private StoreWriter() {}

    /// `race FOLDER NAME KEYS`: says that it is ready, waits for a byte, tries to create each key
    /// with its name as the content, and prints the keys that it won. `hang FOLDER KEY`: writes an
    /// object that never ends.
    public static void main(String[] args) throws IOException {
        Store store = new FolderStore(Path.of(args[1]));
        if (args[0].equals("hang")) {
            store.create(args[2], endless());
            return;
        }
        System.out.println(READY);
        int go = System.in.read();
        for (int key = 0; key < Integer.parseInt(args[3]) && go >= 0; key++) {
            if (store.create("race/" + key, args[2].getBytes(StandardCharsets.UTF_8))) {
                System.out.println(key);
            }
        }
    }

    private static InputStream endless() {
        return new InputStream() {
            private int given;

            @Override
            public int read() {
                throw new UnsupportedOperationException("whole blocks only");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                if (++given == 100) {
                    System.out.println(READY);
                    return System.in.read();
                }
                return length;
            }
        };
    }

    /// Starts this class in another Java process.
    static Process start(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                StoreWriter.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
