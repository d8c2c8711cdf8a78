package io.mlestar.program;

import io.mlestar.console.Logging;
import io.mlestar.console.Reasons;
import io.mlestar.store.DamagedRecord;
import io.mlestar.store.NewerRecord;
import io.mlestar.store.StoreUnavailable;
import io.mlestar.task.Invalid;

/// How a process ends. 0: done; 1: the run failed; 2: bad usage or bad input.
public final class ExitCode {
    public static final int FAILED = 1;
    public static final int BAD_INPUT = 2;

    private ExitCode() {}

    /// Says what went wrong in one line, whatever it was; what the program did not foresee can be looked into with debug logging.
    public static int failed(Exception failure) {
        return switch (failure) {
            case Invalid wrong -> said(wrong.getMessage(), BAD_INPUT);
            case StoreUnavailable away -> said(away.getMessage(), FAILED);
            case NewerRecord newer -> said(newer.getMessage(), FAILED);
            case DamagedRecord damaged -> said(damaged.getMessage(), FAILED);
            case Exception unforeseen -> {
                said(Reasons.of(unforeseen), FAILED);
                if (Logging.isVerbose(CompositionRoot.ofProcess().environment())) {
                    unforeseen.printStackTrace();
                }
                yield FAILED;
            }
        };
    }

    public static int said(String reason, int code) {
        System.err.println("mlestar: " + reason);
        return code;
    }
}
