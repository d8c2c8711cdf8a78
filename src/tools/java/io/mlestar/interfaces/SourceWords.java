package io.mlestar.interfaces;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the sources say of a record or an enum in its `///` comment. A comment that says "null" of
/// a component says that it may be null.
///
/// @param type what it is
/// @param components by name in Java
record SourceWords(String type, Map<String, String> components) {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Pattern PARAM = Pattern.compile("@param (\\w+) (.*)");
    private static final Pattern LINK = Pattern.compile("\\[(?:[a-z]\\w*\\.)*(\\w+)(?:#(\\w+))?(?:\\([^)]*\\))?]");
    private static final Pattern NULL_ITSELF = Pattern
            .compile("null (if|is|means|was|without|unless|only|while|until|in runs|after)\\b|null (for nothing)");
    private static final Pattern NULL_INSIDE = Pattern.compile("null (where|for one)\\b");

    static SourceWords of(Class<?> type) {
        Class<?> top = type;
        while (top.getDeclaringClass() != null) {
            top = top.getDeclaringClass();
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(MAIN.resolve(top.getName().replace('.', '/') + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Pattern declared =
                Pattern.compile("\\s*(?:(?:public|private|protected|static|final|sealed) )*(?:record|enum|interface) "
                        + type.getSimpleName() + "\\b.*");
        int at = 0;
        while (at < lines.size() && !declared.matcher(lines.get(at)).matches()) {
            at++;
        }
        List<String> comment = new ArrayList<>();
        for (int line = Math.min(at, lines.size()) - 1; line >= 0
                && lines.get(line).strip().matches("(///|@).*"); line--) {
            if (lines.get(line).strip().startsWith("///")) {
                comment.addFirst(lines.get(line).strip().substring(3).strip());
            }
        }
        return read(comment);
    }

    private static SourceWords read(List<String> comment) {
        Map<String, StringBuilder> parts = new LinkedHashMap<>();
        StringBuilder part = new StringBuilder();
        parts.put("", part);
        for (String line : comment) {
            Matcher param = PARAM.matcher(line);
            if (param.matches()) {
                part = new StringBuilder(param.group(2));
                parts.put(param.group(1), part);
            } else {
                part.append(part.isEmpty() ? "" : " ").append(line);
            }
        }
        Map<String, String> components = new LinkedHashMap<>();
        parts.forEach((name, words) -> components.put(name, LINK.matcher(words.toString().strip())
                .replaceAll(link -> link.group(2) == null ? link.group(1) : link.group(1) + "." + link.group(2))));
        return new SourceWords(components.remove(""), components);
    }

    boolean mayBeNull(String component) {
        return NULL_ITSELF.matcher(components.getOrDefault(component, "")).find();
    }

    boolean mayHoldNull(String component) {
        return NULL_INSIDE.matcher(components.getOrDefault(component, "")).find();
    }
}
