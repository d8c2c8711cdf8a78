package io.mlestar.core.engine;

import io.mlestar.adapter.model.CallBench;
import io.mlestar.app.web.PageBench;
import module java.base;

/// Measures what the requirements bound, part by part. Read the ratios: machines differ. Bounds of
/// processor time, memory and counts are asserted: past one of them it fails.
public final class Bench {
    private Bench() {}

    public static void main(String... args) throws Exception {
        try {
            everything();
        } catch (IllegalStateException broken) {
            System.err.println("bench: " + broken.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    private static void everything() throws Exception {
        EngineBench.measure();
        CallBench.measureCalls();
        CallBench.measureSteps();
        PageBench.measure();
        weigh();
    }

    /// The native program, if it was built.
    private static void weigh() throws IOException {
        Path program = Path.of("target/mlestar-runner");
        if (Files.exists(program)) {
            System.out.printf(Locale.ROOT, "%nthe native program has %.1f MB; make native-report says of what%n",
                    Files.size(program) / 1e6);
        }
    }

    /// @throws IllegalStateException if a bound of the requirements is broken
    public static void atMost(double most, double measured, String what) {
        if (measured > most) {
            throw new IllegalStateException(
                    String.format(Locale.ROOT, "%.1f %s; the most is %.1f", measured, what, most));
        }
    }
}
