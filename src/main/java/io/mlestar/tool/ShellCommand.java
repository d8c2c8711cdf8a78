package io.mlestar.tool;

import java.util.ArrayList;
import java.util.List;

/// One simple command of a shell text, as far as it can be known without running it.
///
/// @param words the command's name and its arguments, quotes removed
/// @param written files that its redirections write
/// @param read files that its redirections read
/// @param input here-documents that are fed to it
record ShellCommand(List<Word> words, List<Word> written, List<Word> read, List<String> input) {
    /// @param open whether the shell puts something into it that is not known: a variable, a command's output, braces
    /// @param glob whether the shell may put file names in its place
    record Word(String text, boolean open, boolean glob) {}

    ShellCommand() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    boolean isEmpty() {
        return words.isEmpty() && written.isEmpty() && read.isEmpty();
    }

    /// The same, without the first words.
    ShellCommand from(int word) {
        return new ShellCommand(words.subList(word, words.size()), written, read, input);
    }

    /// The program's name without its folder.
    String name() {
        String first = words.isEmpty() ? "" : words.getFirst().text();
        return first.substring(first.lastIndexOf('/') + 1);
    }

    List<Word> arguments() {
        return words.subList(1, words.size());
    }
}
