package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The place of a step in its run, readable by people:
/// `titanic-7/phase2-path0/block1/attempt2/coder`. The first part is the run; the run alone is the
/// path of the whole pipeline.
///
/// @param inside path within the run; empty for the pipeline itself
public record StepPath(String run, String inside) {
    private static final int LONGEST_NAME = 63;
    private static final int DEEPEST = 12;
    private static final Pattern REFINEMENT =
            Pattern.compile("^phase2(?:/leg\\d+/|-)path(\\d+)(?:[/-]|$)");

    public StepPath {
        if (run == null || !isRun(run)) {
            throw new Invalid(
                    "run_id must be 1 to 63 letters, digits, dots, dashes and underscores, beginning with a letter"
                            + " or digit, but is \"" + run + "\"");
        }
        if (inside == null || !isInside(inside)) {
            throw new Invalid("\"" + inside + "\" is not the path of a step");
        }
    }

    private static boolean isRun(String run) {
        if (run.isEmpty() || run.length() > LONGEST_NAME || !isLetterOrDigit(run.charAt(0))) {
            return false;
        }
        for (int i = 1; i < run.length(); i++) {
            char c = run.charAt(i);
            if (!isLetterOrDigit(c) && c != '-' && c != '_'
                    && (c != '.' || run.charAt(i - 1) == '.')) {
                return false;
            }
        }
        return true;
    }

    /// Names of small letters, digits and inner hyphens and underscores, with slashes between them.
    /// Not by a regular expression: paths are made so often that one took a tenth of the engine's
    /// time.
    private static boolean isInside(String inside) {
        int names = 0;
        int length = 0;
        for (int i = 0; i < inside.length(); i++) {
            char c = inside.charAt(i);
            if (c == '/' && length > 0 && i < inside.length() - 1) {
                length = 0;
            } else if (isLetterOrDigit(c) && (c < 'A' || c > 'Z')
                    || length > 0 && (c == '-' || c == '_')) {
                names += length == 0 ? 1 : 0;
                length++;
            } else {
                return false;
            }
            if (length > LONGEST_NAME || names > DEEPEST) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z';
    }

    public static StepPath root(String run) {
        return new StepPath(run, "");
    }

    /// @throws Invalid if `path` is not the path of a step
    public static StepPath parse(String path) {
        int slash = path.indexOf('/');
        return slash < 0
                ? root(path)
                : new StepPath(path.substring(0, slash), path.substring(slash + 1));
    }

    public StepPath child(String name) {
        return new StepPath(run, inside.isEmpty() ? name : inside + "/" + name);
    }

    /// The phase that asked for this step; empty for the pipeline itself.
    public Optional<StepPath> parent() {
        int slash = inside.lastIndexOf('/');
        return inside.isEmpty()
                ? Optional.empty()
                : Optional.of(new StepPath(run, slash < 0 ? "" : inside.substring(0, slash)));
    }

    /// The last part: the step's name and, from the second one on, its number.
    public String name() {
        return inside.substring(inside.lastIndexOf('/') + 1);
    }

    /// The parallel refinement path that the step is part of, e.g. `path-0`; empty if it is part of
    /// none.
    public Optional<String> refinementPath() {
        Matcher path = REFINEMENT.matcher(inside);
        return path.find() ? Optional.of("path-" + path.group(1)) : Optional.empty();
    }

    /// The step's name alone: that of its second call is the same.
    public String plainName() {
        String name = name();
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
            end--;
        }
        return end > 0 && end < name.length() && name.charAt(end - 1) == '-'
                ? name.substring(0, end - 1)
                : name;
    }

    /// The number of this use of the name in the phase, from 1.
    public int use() {
        String suffix = name().substring(plainName().length());
        return suffix.isEmpty() ? 1 : Integer.parseInt(suffix.substring(1));
    }

    /// The step right below the pipeline that this step is or is part of; the pipeline itself for
    /// the pipeline.
    public StepPath top() {
        int slash = inside.indexOf('/');
        return slash < 0 ? this : new StepPath(run, inside.substring(0, slash));
    }

    /// True if this step is right below the pipeline.
    public boolean isTop() {
        return !inside.isEmpty() && inside.indexOf('/') < 0;
    }

    @Override
    public String toString() {
        return inside.isEmpty() ? run : run + "/" + inside;
    }
}
