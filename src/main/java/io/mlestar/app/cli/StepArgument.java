package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.view.RunSteps;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A step as a user names it: with or without the run before it.
final class StepArgument {
    private StepArgument() {}

    /// A step of the run, or one below a phase that it may share with another run.
    ///
    /// @throws Invalid if there can be none of that name
    static StepPath of(Records records, String run, String step) {
        Optional<StepPath> path = path(run, inside(run, step));
        if (path.filter(one -> records.request(one).isPresent() || one.parent().filter(phase -> new RunSteps(records).listed(phase).isEmpty()).isPresent()).isEmpty()) {
            throw unknown(records, run, step);
        }
        return path.get();
    }

    private static Optional<StepPath> path(String run, String inside) {
        try {
            return Optional.of(new StepPath(run, inside));
        } catch (Invalid e) {
            return Optional.empty();
        }
    }

    /// A step that the run itself has asked for.
    ///
    /// @throws Invalid if there is none of that name
    static StepPath known(Records records, String run, String step) {
        StepPath path = of(records, run, step);
        if (records.request(path).isEmpty()) {
            throw unknown(records, run, step);
        }
        return path;
    }

    private static Invalid unknown(Records records, String run, String step) {
        return new Invalid("run " + run + " has no step " + inside(run, step)
                + meant(records, run, inside(run, step)).map(path -> "; did you mean " + path + "?").orElse("")
                + "; mlestar show " + run + " lists its steps");
    }

    private static String inside(String run, String step) {
        return step.startsWith(run + "/") ? step.substring(run.length() + 1) : step;
    }

    /// The step whose names are most like those, from the first to the last; empty if one is like none.
    private static Optional<String> meant(Records records, String run, String inside) {
        StepPath at = StepPath.root(run);
        for (String name : inside.split("/", -1)) {
            Set<String> there = new RunSteps(records).listed(at).keySet().stream().map(StepPath::name).collect(Collectors.toCollection(TreeSet::new));
            Optional<String> like = there.contains(name) ? Optional.of(name) : Spelling.nearest(name, there);
            if (like.isEmpty()) {
                return Optional.empty();
            }
            at = at.child(like.get());
        }
        return Optional.of(at.inside());
    }
}
