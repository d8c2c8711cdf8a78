package io.mlestar.app.program;

import io.mlestar.app.console.Logging;
import io.mlestar.app.console.Reasons;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.StoreUnavailable;

/// The exit codes of a process. 0: done; 1: the run failed; 2: bad usage or bad input.
public final class ExitCode {
    public static final int FAILED = 1;
    public static final int BAD_INPUT = 2;

    private ExitCode() {}

    /// Prints what went wrong in one line; debug logging adds the stack trace of an unexpected
    /// failure.
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
