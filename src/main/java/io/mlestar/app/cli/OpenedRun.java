package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.steering.Steering;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Results.FinalResult;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A run that the store has, and its steps as a user names them: with or without the run before
/// them.
record OpenedRun(Records records, RunHeader header) {
    Steering steering() {
        return new Steering(records);
    }

    /// The final result of the run.
    ///
    /// @throws Invalid unless it has completed
    FinalResult completed() {
        String run = header.runId();
        return RunFiles.result(records, run)
                .orElseThrow(() -> new Invalid("run " + run + (records.hasEnded(run)
                        ? " failed, so it has no final solution; mlestar status " + run
                                + " says why"
                        : " has not ended, so it has no final solution yet; mlestar status " + run
                                + " shows how far it is")));
    }

    /// A step that the run itself has asked for.
    ///
    /// @throws Invalid if there is none of that name
    StepPath step(String name) {
        return step(name, path -> records.request(path).isPresent());
    }

    /// A step of the run, or one below a phase that it may share with another run.
    ///
    /// @throws Invalid if there can be none of that name
    StepPath ownOrSharedStep(String name) {
        return step(name,
                path -> records.request(path).isPresent()
                        || path.parent()
                                .filter(phase -> records.listed(phase).isEmpty())
                                .isPresent());
    }

    private StepPath step(String name, Predicate<StepPath> isKnown) {
        String run = header.runId();
        String inside =
                (name.startsWith(run + "/") ? name.substring(run.length() + 1) : name)
                        .replaceFirst("(?<=[^/])/$", "");
        try {
            StepPath path = new StepPath(run, inside);
            if (isKnown.test(path)) {
                return path;
            }
        } catch (Invalid malformed) {
            // No step can have such a name.
        }
        throw new Invalid(
                "run " + run + " has no step " + inside
                        + nearest(inside).map(path -> "; did you mean " + path + "?").orElse("")
                        + "; mlestar show "
                        + run
                        + " lists its steps");
    }

    /// The closest existing path, matched part by part; empty if a part has no match.
    private Optional<String> nearest(String inside) {
        StepPath at = header.root();
        for (String name : inside.split("/", -1)) {
            Set<String> there = records.listed(at)
                    .keySet()
                    .stream()
                    .map(StepPath::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            Optional<String> like =
                    there.contains(name) ? Optional.of(name) : Spelling.nearest(name, there);
            if (like.isEmpty()) {
                return Optional.empty();
            }
            at = at.child(like.get());
        }
        return Optional.of(at.inside());
    }
}
