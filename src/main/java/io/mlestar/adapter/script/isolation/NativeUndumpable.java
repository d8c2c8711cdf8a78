package io.mlestar.adapter.script.isolation;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import org.graalvm.nativeimage.c.function.CFunction;

/// Does in a native program what [Undumpable] does on the JVM, by a plain call: Java's interface to
/// foreign functions makes code while it runs, which would weigh two megabytes.
@TargetClass(Undumpable.class)
final class NativeUndumpable {
    @Substitute
    static void become() {
        C.prctl(Undumpable.PR_SET_DUMPABLE, 0, 0, 0, 0);
    }

    /// Functions of the C library.
    private static final class C {
        @CFunction("prctl")
        static native int prctl(int option, long argument, long third, long fourth, long fifth);
    }
}
