package io.mlestar.cli;

import io.mlestar.step.StepPath;

/// A step as a user names it: with or without the run before it.
final class StepArgument {
    private StepArgument() {}

    static StepPath of(String run, String step) {
        return new StepPath(run, step.startsWith(run + "/") ? step.substring(run.length() + 1) : step);
    }
}
