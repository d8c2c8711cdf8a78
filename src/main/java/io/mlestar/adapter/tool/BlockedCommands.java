package io.mlestar.adapter.tool;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Shell commands that are refused before they are run (REQ-OR-033). This is a sign and no wall: it
/// reads words, not what the shell makes of them. The sandbox holds what a command changes outside
/// its folder.
///
/// @param patterns a command's name or its beginning, and beginnings of arguments in any order; or
///   punctuation, which is looked for as it is
record BlockedCommands(List<String> patterns) {
    BlockedCommands {
        patterns = List.copyOf(patterns);
    }

    /// Says why the command is refused; empty if it may run.
    Optional<String> refusal(String command) {
        String dense = command.replaceAll("\\s+", "");
        // Quotes and escapes that mean nothing to the words themselves.
        List<List<String>> simple =
                Stream.of(command.replace("\\\n", "")
                        .replaceAll("[\"'\\\\]", "")
                        .split("[;&|\\n(){}`]"))
                        .map(one -> List.of(one.strip().split("\\s+")))
                        .toList();
        return patterns.stream()
                .filter(pattern -> pattern.chars().noneMatch(Character::isLetterOrDigit)
                        ? dense.contains(pattern.replaceAll("\\s+", ""))
                        : simple.stream().anyMatch(words -> matches(pattern, words)))
                .findFirst()
                .map(pattern -> "it holds \"" + pattern + "\", which is blocked");
    }

    /// True if the command stands somewhere among the words, if only after `sudo` or `xargs`.
    private static boolean matches(String pattern, List<String> words) {
        List<String> parts = List.of(pattern.strip().split("\\s+"));
        int at = 0;
        while (at < words.size() && !isNamed(words.get(at), parts)) {
            at++;
        }
        List<String> arguments = words.subList(Math.min(at + 1, words.size()), words.size());
        return at < words.size() && parts.stream()
                .skip(1)
                .allMatch(part -> part.matches("-[A-Za-z]+")
                        ? part.chars()
                                .skip(1)
                                .allMatch(flag -> arguments.stream()
                                        .anyMatch(word -> hasFlag(word, (char) flag)))
                        : arguments.stream().anyMatch(word -> word.startsWith(part)));
    }

    private static boolean isNamed(String word, List<String> parts) {
        String name = word.substring(word.lastIndexOf('/') + 1);
        return parts.size() == 1
                ? name.startsWith(parts.getFirst())
                : name.equals(parts.getFirst());
    }

    /// `-rf`, `-f -R` and `--recursive --force` are the same.
    private static boolean hasFlag(String word, char flag) {
        return word.startsWith("--")
                ? word.length() > 2 && word.charAt(2) == flag
                : word.startsWith("-")
                        && word.toLowerCase(Locale.ROOT).indexOf(Character.toLowerCase(flag)) > 0;
    }
}
