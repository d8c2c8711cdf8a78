package io.mlestar.core.agent;

import io.mlestar.core.step.FenceMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds the code in an answer (REQ-SF-005). The last fence may be left open.
final class CodeFences {
    private static final Pattern LOOKS_LIKE_PYTHON = Pattern.compile(
            """
                    (?m)^[ \\t]*(?:import\\s+\\w|from\\s+\\S+\\s+import\\s|def\\s+\\w+\\s*\\(|class\\s+\\w+\\s*[(:]|@\\w\
                    |(?:for|while|if|elif|else|with|try)\\b.*:\\s*(?:#.*)?$\
                    |[A-Za-z_][\\w.]*(?:\\[[^\\]\\n]*\\])?(?:[ \\t]*,[ \\t]*[A-Za-z_]\\w*)*+[ \\t]*[-+*/|&]?=(?!=)\
                    |[A-Za-z_][\\w.]*\\(.*\\)?\\s*$)""");
    private static final Set<String> PYTHON_TAGS =
            Set.of("", "python", "py", "python3", "python2", "ipython", "pycon");

    /// One fenced block.
    ///
    /// @param tag first word behind the opening fence, lower case; empty if none
    /// @param closed whether it ends with a fence of its own, and not with the answer
    record Fence(String tag, String content, boolean closed) {
        Fence {
            content = content.startsWith("\uFEFF") ? content.substring(1) : content;
        }

        boolean isPython() {
            return PYTHON_TAGS.contains(tag);
        }

        /// A log in a fence without a tag does not.
        boolean looksLikePython() {
            return isPython() && LOOKS_LIKE_PYTHON.matcher(content).find();
        }
    }

    /// A fence that may hold the code, looked through once however many others there are.
    private record RankedFence(Fence fence, boolean looksLikePython) {
        int length() {
            return fence.content().length();
        }
    }

    private CodeFences() {}

    /// The code of an answer: the longest block among those tagged as Python or untagged, those
    /// that look like Python first, else the longest of all; without a fence the whole answer, if
    /// it looks like Python. Empty if there is no code.
    static Optional<String> code(String answer) {
        List<Fence> fences =
                fences(answer).stream().filter(fence -> !fence.content().isBlank()).toList();
        if (fences.isEmpty()) {
            String whole = answer.replace("\r\n", "\n").strip();
            return LOOKS_LIKE_PYTHON.matcher(whole).find() ? Optional.of(whole) : Optional.empty();
        }
        return fences.stream()
                .map(fence -> new RankedFence(fence, fence.looksLikePython()))
                .max(Comparator.comparing(RankedFence::looksLikePython)
                        .thenComparing(candidate -> candidate.fence().isPython())
                        .thenComparingInt(RankedFence::length))
                .map(candidate -> candidate.fence().content());
    }

    /// True if there is fenced code, and none that the answer's end cuts short.
    static boolean areClosed(String answer) {
        List<Fence> fences = fences(answer);
        return !fences.isEmpty() && fences.stream().allMatch(Fence::closed);
    }

    static List<Fence> fences(String answer) {
        List<Fence> found = new ArrayList<>();
        FenceMark open = null;
        List<String> inside = new ArrayList<>();
        for (String line : answer.replace("\r\n", "\n").split("\n", -1)) {
            if (open == null) {
                open = FenceMark.opening(line);
                inside.clear();
            } else if (open.isClosedBy(line)) {
                found.add(new Fence(tag(open), String.join("\n", inside), true));
                open = null;
            } else {
                inside.add(line.startsWith(open.indent())
                        ? line.substring(open.indent().length())
                        : line);
            }
        }
        if (open != null) {
            found.add(new Fence(tag(open), String.join("\n", inside).stripTrailing(), false));
        }
        return found;
    }

    private static String tag(FenceMark mark) {
        return mark.info().strip().toLowerCase(Locale.ROOT).split("[\\s{,:]", 2)[0];
    }
}
