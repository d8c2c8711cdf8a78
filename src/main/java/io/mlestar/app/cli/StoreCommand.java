package io.mlestar.app.cli;

import io.mlestar.core.base.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A command that looks into a store and can print its result as JSON.
abstract class StoreCommand implements Callable<Integer> {
    @Option(names = "--json", description = "print the result as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    /// Prints the result in the form that the user wants.
    ///
    /// @return the exit code, 0
    int print(Object result, String text) {
        System.out.println(json ? Json.text(result) : text);
        return 0;
    }

    /// A command about one run of the store.
    abstract static class OneRunCommand extends StoreCommand {
        @Parameters(index = "0", paramLabel = "RUN")
        String run;

        /// @throws io.mlestar.core.base.Invalid if the store has no such run
        OpenedRun open() {
            return store.open(run);
        }
    }
}
