package io.mlestar.app.cli;

import picocli.CommandLine.Option;

/// What a run that goes on in this process prints.
final class OutputOptions {
    @Option(names = "--json", description = "print the final result as JSON")
    boolean json;

    @Option(names = "--quiet", description = "print the result only")
    boolean quiet;
}
