package io.mlestar.core.agent;

import io.mlestar.core.base.Json;
import module java.base;

/// One Python for all programs of the survey that tests run outside a sandbox: each gets a fork of
/// it (`forks.py`), which costs a tenth of a Python of its own. It ends with the tests.
final class ForkedPython {
    private static final Process SERVER = start();
    private static final Writer ASKED = SERVER.outputWriter();
    private static final BufferedReader ENDED = SERVER.inputReader();

    private ForkedPython() {}

    private static Process start() {
        try {
            return new ProcessBuilder("python3", "src/test/resources/forks.py")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @param folder where it works, and finds its output in `out` and `err`
    /// @return the exit code
    static synchronized int run(Path folder, Path program) throws IOException {
        ASKED.write(Json.line(List.of(folder.toString(), program.toString())) + "\n");
        ASKED.flush();
        return Integer.parseInt(ENDED.readLine());
    }
}
