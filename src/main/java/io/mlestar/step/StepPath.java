package io.mlestar.step;

import io.mlestar.task.Invalid;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a step stands, readable by people: `titanic-7/phase2-path0/block1/attempt2/coder`. The first part is the
/// run; the run alone is the path of the whole pipeline.
///
/// @param inside path within the run; empty for the pipeline itself
public record StepPath(String run, String inside) {
    private static final Pattern RUN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern INSIDE = Pattern.compile("(?:[a-z0-9][a-z0-9_-]{0,62}(?:/(?!$)|$)){0,12}");
    private static final Pattern REFINEMENT = Pattern.compile("^phase2-path(\\d+)(?:/|$)");

    public StepPath {
        if (run == null || !RUN.matcher(run).matches() || run.contains("..")) {
            throw new Invalid("run_id must be 1 to 63 letters, digits, dots, dashes and underscores, beginning with a letter"
                    + " or digit, but is \"" + run + "\"");
        }
        if (inside == null || !INSIDE.matcher(inside).matches()) {
            throw new Invalid("\"" + inside + "\" is not the path of a step");
        }
    }

    public static StepPath root(String run) {
        return new StepPath(run, "");
    }

    /// @throws Invalid if `path` is not the path of a step
    public static StepPath parse(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? root(path) : new StepPath(path.substring(0, slash), path.substring(slash + 1));
    }

    public StepPath child(String name) {
        return new StepPath(run, inside.isEmpty() ? name : inside + "/" + name);
    }

    /// The phase that asked for this step; empty for the pipeline itself.
    public Optional<StepPath> parent() {
        int slash = inside.lastIndexOf('/');
        return inside.isEmpty() ? Optional.empty() : Optional.of(new StepPath(run, slash < 0 ? "" : inside.substring(0, slash)));
    }

    /// The last part: the step's name and, from the second one on, its number.
    public String name() {
        return inside.substring(inside.lastIndexOf('/') + 1);
    }

    /// Which of the parallel refinement paths the step is part of, e.g. `path-0`; empty if of none.
    public Optional<String> refinementPath() {
        Matcher path = REFINEMENT.matcher(inside);
        return path.find() ? Optional.of("path-" + path.group(1)) : Optional.empty();
    }

    /// The step's name alone: that of its second call is the same.
    public String plainName() {
        return name().replaceFirst("-\\d+$", "");
    }

    /// The step right below the pipeline that this step is or is part of; the pipeline itself for the pipeline.
    public StepPath top() {
        int slash = inside.indexOf('/');
        return slash < 0 ? this : new StepPath(run, inside.substring(0, slash));
    }

    /// Whether this step is right below the pipeline.
    public boolean isTop() {
        return !inside.isEmpty() && inside.indexOf('/') < 0;
    }

    @Override
    public String toString() {
        return inside.isEmpty() ? run : run + "/" + inside;
    }
}
