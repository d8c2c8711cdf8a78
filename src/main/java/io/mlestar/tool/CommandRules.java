package io.mlestar.tool;

import io.mlestar.tool.ShellCommand.Word;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Says whether a shell command is refused, and why (REQ-OR-033). Reads the text only: the sandbox is the wall, this is the
/// sign on it. Refused are the blocked patterns however they are written, paths outside the workspace, changes to `input`, and
/// commands that could change files where what they change cannot be read off.
///
/// @param workspace folder in which commands start
/// @param blocked patterns: a command's name or its beginning, and beginnings of arguments in any order
public record CommandRules(Path workspace, List<String> blocked) {
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh", "ash");
    private static final Set<String> INTERPRETERS =
            Set.of("python", "perl", "ruby", "node", "awk", "gawk", "mawk", "sed", "php", "lua", "Rscript");
    private static final Set<String> SCRIPT_FIRST = Set.of("awk", "gawk", "mawk", "sed", "grep", "egrep", "fgrep", "rg", "jq");
    private static final Set<String> SAYERS = Set.of("echo", "printf", ":", "true", "false", "export", "[", "[[", "test", "expr");
    private static final Set<String> READERS = Set.of("cat", "ls", "head", "tail", "grep", "egrep", "fgrep", "rg", "wc", "file", "stat",
            "du", "df", "which", "diff", "cmp", "md5sum", "sha256sum", "test", "[", "[[", "less", "more", "find", "readlink", "realpath");
    private static final Set<String> CHANGERS = Set.of("rm", "rmdir", "unlink", "shred", "mv", "cp", "ln", "link", "dd", "tee", "touch", "mkdir",
            "chmod", "chown", "chgrp", "truncate", "install", "rsync", "patch", "tar", "unzip", "split", "mktemp", "mkfifo", "mknod", "cd",
            "pushd", "fallocate", "wipe", "chattr", "setfacl", "source", ".", "mount", "umount", "chroot");
    private static final Set<String> FROM_INPUT = Set.of("cp", "rsync", "tar", "unzip", "split", "source", ".", "install");
    private static final Set<String> CARRIERS = Set.of("sudo", "doas", "su", "env", "command", "builtin", "exec", "nohup", "time", "nice",
            "ionice", "timeout", "stdbuf", "setsid", "busybox", "xargs", "parallel", "find", "watch", "chroot", "unshare", "nsenter", "strace",
            "flock", "script", "then", "do", "else", "elif", "if", "while", "until", "for", "{", "!", "function", "coproc", "toybox", "taskset");
    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/lib", "/lib64", "/proc/cpuinfo", "/proc/meminfo",
            "/proc/loadavg", "/etc/os-release");
    private static final Pattern DEVICE = Pattern.compile("/dev/(null|zero|u?random|stdin|stdout|stderr|fd/\\d+)");
    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*\\+?=.*", Pattern.DOTALL);
    private static final int LONGEST_BOMB = 400;
    private static final Pattern QUOTED_PATH = Pattern.compile("[\"'](/[^\"'/\\s][^\"'\\s]*|~[^\"'\\s]*|\\.\\.(?:/[^\"'\\s]*)?|/(?=[\"']\\s*[,)]?\\s*\\)))[\"']");
    private static final int DEEPEST = 8;
    private static final int MOST_CARRIED = 500;
    private static final Optional<String> TOO_DEEP = Optional.of("it is nested too deeply");

    private enum Where { INSIDE, INPUT, SYSTEM_FILES, OUTSIDE }

    public CommandRules {
        workspace = workspace.toAbsolutePath().normalize();
        blocked = List.copyOf(blocked);
    }

    /// Why the command is refused; empty if it may run.
    public Optional<String> refusal(String command) {
        String squeezed = command.replaceAll("\\s+", " ");
        String dense = squeezed.replace(" ", "");
        if (isBomb(dense)) {
            return Optional.of("it is a fork bomb");
        }
        for (String pattern : blocked) {
            String plain = pattern.strip().replaceAll("\\s+", " ");
            boolean symbols = plain.chars().noneMatch(Character::isLetterOrDigit);
            if (symbols ? dense.contains(plain.replace(" ", "")) : Pattern.compile("(?<![\\w./-])" + Pattern.quote(plain)).matcher(squeezed).find()) {
                return Optional.of("it holds \"" + pattern + "\", which is blocked");
            }
        }
        return refusal(command, 0);
    }

    /// Whether a function is declared that pipes itself into itself and goes on: `x(){x|x&};x`. By hand, since a pattern would take time by
    /// the square of a long word's length.
    private static boolean isBomb(String dense) {
        for (int open = dense.indexOf("(){"); open >= 0; open = dense.indexOf("(){", open + 1)) {
            String body = dense.substring(open + 3, Math.min(dense.length(), open + 3 + LONGEST_BOMB)).split("}", 2)[0];
            for (int pipe = body.indexOf('|'); pipe >= 0 && body.indexOf('&', pipe) >= 0; pipe = body.indexOf('|', pipe + 1)) {
                for (int end = pipe + 1; end < body.length() && "(){};&|".indexOf(body.charAt(end)) < 0; end++) {
                    String name = body.substring(pipe + 1, end + 1);
                    if (body.startsWith(name, pipe - name.length()) && dense.startsWith(name, open - name.length())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private Optional<String> refusal(String text, int depth) {
        if (depth > DEEPEST) {
            return TOO_DEEP;
        }
        try {
            return ShellReader.read(text).stream().flatMap(command -> refusal(command, depth).stream()).findFirst();
        } catch (UnreadableCommand e) {
            return Optional.of(e.getMessage());
        }
    }

    private Optional<String> refusal(ShellCommand command, int depth) {
        for (Word target : command.written()) {
            if (target.open() || target.glob() || where(target.text()) != Where.INSIDE) {
                return Optional.of("it writes to \"" + target.text() + "\"; write to plainly named files in the working folder");
            }
        }
        for (Word source : command.read()) {
            if (where(source.text()) == Where.OUTSIDE) {
                return outside(source);
            }
        }
        int first = 0;
        while (first < command.words().size() && ASSIGNMENT.matcher(command.words().get(first).text()).matches()) {
            first++;
        }
        return first == command.words().size() ? Optional.empty() : named(command.from(first), depth);
    }

    private Optional<String> named(ShellCommand command, int depth) {
        Word program = command.words().getFirst();
        if (depth > DEEPEST) {
            return TOO_DEEP;
        }
        if (program.open() || program.glob()) {
            return Optional.of("the name of a command must be plain, not \"" + program.text() + "\"");
        }
        String name = command.name();
        Optional<String> why = blocked.stream().filter(pattern -> matches(pattern, command)).findFirst()
                .map(pattern -> "it amounts to \"" + pattern + "\", which is blocked")
                .or(() -> where(program.text()) == Where.OUTSIDE && !program.text().equals("/") ? outside(program) : Optional.empty())
                .or(() -> paths(command)).or(() -> changes(command)).or(() -> carried(command, depth));
        if (why.isPresent()) {
            return why;
        }
        if (SHELLS.contains(name)) {
            return shell(command, depth);
        }
        return name.equals("eval") || name.equals("trap") ? script(command.arguments(), depth) : Optional.empty();
    }

    /// REQ-OR-033's patterns as commands: the order of arguments and the way flags are written do not matter.
    private static boolean matches(String pattern, ShellCommand command) {
        String[] parts = pattern.strip().split("\\s+");
        boolean name = parts.length == 1 ? command.name().startsWith(parts[0]) : command.name().equals(parts[0]);
        return name && Stream.of(parts).skip(1).allMatch(part -> part.matches("-[A-Za-z]+")
                ? part.substring(1).chars().allMatch(flag -> command.arguments().stream().anyMatch(word -> hasFlag(word.text(), (char) flag)))
                : command.arguments().stream().anyMatch(word -> word.text().startsWith(part)));
    }

    private static boolean hasFlag(String word, char flag) {
        return word.startsWith("--") ? word.length() > 2 && word.charAt(2) == flag
                : word.startsWith("-") && word.toLowerCase(java.util.Locale.ROOT).indexOf(Character.toLowerCase(flag)) > 0;
    }

    private Optional<String> paths(ShellCommand command) {
        String name = command.name();
        if (SAYERS.contains(name) && !READERS.contains(name)) {
            return Optional.empty();
        }
        boolean runsCode = INTERPRETERS.contains(name) || name.startsWith("python");
        boolean scriptIsNext = SCRIPT_FIRST.contains(name);
        for (Word word : command.arguments()) {
            if (scriptIsNext && !word.text().startsWith("-")) {
                scriptIsNext = false;
            } else if (candidates(word.text()).anyMatch(path -> where(path) == Where.OUTSIDE
                    || where(path) == Where.SYSTEM_FILES && !READERS.contains(name) && !runsCode)) {
                return outside(word);
            }
        }
        return runsCode ? Stream.concat(command.arguments().stream().map(Word::text), command.input().stream())
                .flatMap(code -> QUOTED_PATH.matcher(code).results()).map(found -> found.group(1))
                .filter(path -> where(path) == Where.OUTSIDE).findFirst().flatMap(path -> outside(new Word(path, false, false))) : Optional.empty();
    }

    /// What in a word may be a path: all of it, what follows `=`, what follows a one-letter flag.
    private static Stream<String> candidates(String word) {
        List<String> candidates = new ArrayList<>(List.of(word));
        int equals = word.indexOf('=');
        if (equals >= 0) {
            candidates.add(word.substring(equals + 1));
        }
        Matcher flag = Pattern.compile("-[A-Za-z]+([/~.].*)", Pattern.DOTALL).matcher(word);
        if (flag.matches()) {
            candidates.add(flag.group(1));
        }
        return candidates.stream();
    }

    private Optional<String> changes(ShellCommand command) {
        String name = command.name();
        List<Word> words = command.arguments();
        boolean inPlace = name.equals("sed") && words.stream().anyMatch(word -> hasFlag(word.text(), 'i'))
                || name.equals("find") && words.stream().anyMatch(word -> word.text().matches("-(delete|exec|execdir|ok|okdir|fprintf?|fls)"));
        if (!CHANGERS.contains(name) && !inPlace) {
            return Optional.empty();
        }
        for (int i = 0; i < words.size(); i++) {
            Word word = words.get(i);
            boolean last = i == words.size() - 1 && !Set.of("cd", "pushd", "source", ".").contains(name);
            if (word.open()) {
                return Optional.of("`" + name + "` with \"" + word.text() + "…\": what the shell puts there is not known; name the files plainly");
            }
            if (candidates(word.text()).anyMatch(path -> where(path) == Where.INPUT) && (last || !FROM_INPUT.contains(name))) {
                return Optional.of("`" + name + "` would change " + word.text() + "; the data are read-only");
            }
        }
        return Optional.empty();
    }

    /// `sudo rm …`, `xargs rm`: whatever follows may be a command.
    private Optional<String> carried(ShellCommand command, int depth) {
        if (!CARRIERS.contains(command.name())) {
            return Optional.empty();
        }
        if (command.words().size() > MOST_CARRIED) {
            return Optional.of("`" + command.name() + "` with more than " + MOST_CARRIED + " words is too intricate");
        }
        boolean fed = command.name().equals("xargs") || command.name().equals("parallel");
        for (int i = 1; i < command.words().size(); i++) {
            ShellCommand inner = command.from(i);
            Word program = inner.words().getFirst();
            if (program.open() || program.glob() || program.text().startsWith("-") || !isKnown(inner)) {
                continue;
            }
            Optional<String> why = fed && (CHANGERS.contains(inner.name()) || SHELLS.contains(inner.name()))
                    ? Optional.of("`" + inner.name() + "` would work on names that are not known yet") : named(inner, depth + 1);
            if (why.isPresent()) {
                return why;
            }
        }
        return command.words().size() > 1 && isOpenProgram(command) ? Optional.of("the name of a command must be plain") : Optional.empty();
    }

    private boolean isKnown(ShellCommand command) {
        return CHANGERS.contains(command.name()) || SHELLS.contains(command.name()) || CARRIERS.contains(command.name())
                || INTERPRETERS.contains(command.name()) || command.name().startsWith("python") || command.name().equals("eval")
                || blocked.stream().anyMatch(pattern -> matches(pattern, command));
    }

    /// The first word after a carrier's own flags cannot be read off.
    private static boolean isOpenProgram(ShellCommand command) {
        return !Set.of("find", "for", "if", "while", "until", "elif").contains(command.name()) && command.arguments().stream()
                .filter(word -> !word.text().startsWith("-") && !ASSIGNMENT.matcher(word.text()).matches() && !word.text().matches("[\\d.]+[smhd]?"))
                .findFirst().filter(word -> word.open() || word.glob()).isPresent();
    }

    private Optional<String> shell(ShellCommand command, int depth) {
        List<Word> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).text().matches("-[a-z]*c[a-z]*")) {
                return script(words.subList(Math.min(i + 1, words.size()), words.size()), depth);
            }
        }
        return words.stream().anyMatch(word -> !word.text().startsWith("-") && !word.open()) ? Optional.empty()
                : Optional.of("a shell that reads its commands from elsewhere cannot be checked");
    }

    private Optional<String> script(List<Word> words, int depth) {
        if (words.stream().anyMatch(Word::open)) {
            return Optional.of("a command that is put together while it runs cannot be checked");
        }
        return refusal(String.join(" ", words.stream().map(Word::text).toList()), depth + 1);
    }

    private Where where(String path) {
        if (path.isEmpty() || DEVICE.matcher(path).matches() || path.matches("(?s)(?!file:)[a-z][a-z0-9+.]*://.*")) {
            return Where.INSIDE;
        }
        if (path.startsWith("~") || path.startsWith("file:")) {
            return Where.OUTSIDE;
        }
        try {
            Path full = workspace.resolve(path).normalize();
            if (!full.startsWith(workspace)) {
                return SYSTEM.stream().anyMatch(full::startsWith) ? Where.SYSTEM_FILES : Where.OUTSIDE;
            }
            return full.startsWith(workspace.resolve("input")) ? Where.INPUT : Where.INSIDE;
        } catch (InvalidPathException e) {
            return Where.OUTSIDE;
        }
    }

    private static Optional<String> outside(Word word) {
        return Optional.of("\"" + word.text() + "\" lies outside the working folder");
    }
}
