package io.mlestar.core.phase;

import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.SolutionScript;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One Python program that runs the members of a blend as they were written, each in a folder of
/// its own, and blends what they submit, as the harness blended it. It trains those members for
/// which there is time ([io.mlestar.core.step.RunScript#SECONDS]).
public final class BlendScript {
    private static final String LEFT_OUT = "Left out of the blend: ";
    private static final String MEMBERS = "MEMBERS = [";
    private static final Pattern MEMBER =
            Pattern.compile(
                    "(?s)(?<told> {4}\\(\\d+, [^,]+, \"[^\"]*\", )(?:r'''(?<first>.*)|(?<json>\".*\")\\),)");
    private static final String END = "'''),";
    private static final String PROGRAM = Prompts.resourceText("/blend.py");

    private BlendScript() {}

    /// Lines of what a program printed: which members it left out, and why; none of a script that
    /// is no blend.
    public static List<String> leftOut(String printed) {
        return printed.lines().filter(line -> line.startsWith(LEFT_OUT)).toList();
    }

    /// @param members in the order of the weights
    /// @param score of the blend, as the harness computed it
    static String of(Blend blend, List<SolutionScript> members, double score) {
        TableFormat format = blend.format();
        return String.format(Locale.ROOT,
                """
                        ""\"A blend of solutions, which were selected by their predictions. Each runs as it was written.""\"
                        HOW, SCORE, LEFT_OUT = %s, %s, %s
                        DELIMITER, DECIMAL, KEYS = %s, %s, %d  # Of submissions: how many leading columns name a row; 0: its place does.
                        %s  # How much each counts, the seconds that it took, its step, and its program.
                        %s]

                        """,
                Json.text(blend.how().name().toLowerCase(Locale.ROOT)), score, Json.text(LEFT_OUT),
                Json.text(String.valueOf(format.delimiter())),
                Json.text(String
                        .valueOf(format.decimal())),
                format.keys(), MEMBERS,
                IntStream.range(0, members.size())
                        .filter(i -> blend.weights().get(i) > 0)
                        .mapToObj(i -> "    (" + blend.weights().get(i) + ", "
                                + Objects.requireNonNullElse(members.get(i).durationSeconds(), 0.0)
                                + ", "
                                + Json.text(String.valueOf(members.get(i).step())) + ", "
                                + literal(members.get(i).content()) + "),\n")
                        .collect(Collectors.joining()))
                + PROGRAM;
    }

    /// A blend whose members lie in files of their own, which it reads.
    ///
    /// @param members by their files' paths
    public record SplitBlend(String program, SequencedMap<String, String> members) {}

    /// Takes the members out of a blend.
    ///
    /// @param folder of their files, as the program is to name it
    /// @return empty unless it is a blend as it was written here: an agent may have repaired it
    public static Optional<SplitBlend> parts(String script, String folder) {
        if (!script.endsWith(PROGRAM) || !script.contains(MEMBERS)) {
            return Optional.empty();
        }
        SequencedMap<String, String> members = new LinkedHashMap<>();
        StringBuilder program = new StringBuilder();
        StringBuilder member = null;
        for (String line : script.substring(0, script.length() - PROGRAM.length())
                .split("\n", -1)) {
            Matcher begin = MEMBER.matcher(line);
            String file = folder + "/" + (members.size() + 1) + ".py";
            if (member != null && line.equals(END)) {
                members.put(file, member.toString());
                member = null;
            } else if (member != null) {
                member.append(line).append('\n');
            } else if (begin.matches()) {
                program.append(begin.group("told"))
                        .append("open(\"")
                        .append(file)
                        .append("\", encoding=\"utf-8\", newline=\"\").read()),\n");
                if (begin.group("json") == null) {
                    member = new StringBuilder(begin.group("first")).append('\n');
                } else {
                    members.put(file, Json.parse(begin.group("json")).textValue());
                }
            } else {
                program.append(line).append('\n');
            }
        }
        // The last line end is the one before the program.
        program.setLength(program.length() - 1);
        return Optional.of(new SplitBlend(program + PROGRAM, members));
    }

    /// Readable where that is safe; else as JSON, whose texts are Python's, too.
    private static String literal(String program) {
        String text = program.stripTrailing() + "\n";
        return text.contains("'''") || text.contains("\r")
                ? Json.text(text)
                : "r'''" + text + "'''";
    }
}
