package io.mlestar.adapter.script.isolation;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import org.jboss.logging.Logger;

/// Closes this process's entries below `/proc` to other processes of the same user: its
/// environment, where the keys are, its memory and its open files; and lets none of them trace it.
/// Behind walls with a space of their own for processes it is out of sight anyway.
final class Undumpable {
    private static final Logger LOG = Logger.getLogger("mle_star.sandbox");
    static final int PR_SET_DUMPABLE = 4;

    private Undumpable() {}

    /// Does so if it can be done on this system; [EscapeRoute#KEYS] is found open if not.
    @SuppressWarnings("restricted")
    static void become() {
        try {
            Linker linker = Linker.nativeLinker();
            FunctionDescriptor type =
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG);
            int failed =
                    (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("prctl"), type)
                            .invokeExact(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
            LOG.debugf("this process is closed to others of its user: %s", failed == 0);
        } catch (Throwable e) {
            // Scripts run without it too, whatever failed, and the self-test says what is open.
            LOG.debug("this process could not be closed to others of its user", e);
        }
    }
}
