package io.mlestar.app.function;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.ExitCode;
import io.mlestar.app.program.Serving;
import io.mlestar.core.base.Invalid;
import io.quarkus.runtime.annotations.QuarkusMain;

/// The program of a function's pod: nothing but the functions, of which each pod serves one. What
/// people use is left out of it, the command line, the pages and the tools for assistants, so that
/// it is small and starts soon. Exit codes as [ExitCode].
@QuarkusMain(name = "functions")
public final class FunctionServer {
    private FunctionServer() {}

    /// @param args none: all that it has to know is in the environment
    public static void main(String... args) {
        try {
            CompositionRoot root = CompositionRoot.begin();
            if (args.length > 0) {
                throw new Invalid(
                        "this program serves functions, and takes no arguments; commands are those of the whole program");
            }
            System.exit(Serving.ofPod(root.environment()).run(root));
        } catch (Exception failure) {
            System.exit(ExitCode.failed(failure));
        }
    }
}
