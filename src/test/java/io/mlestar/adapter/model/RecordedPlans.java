package io.mlestar.adapter.model;

import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The answers of an example in a folder of their own, for runs in which much is done at once: there the planners are asked by the
/// phase above, and each is given the answer that belongs to the same attempt or round. So what is answered depends on the plan, and not on
/// the order.
public record RecordedPlans(Path folder) {
    private static final Pattern IN_SEQUENCE = Pattern.compile("(.*/)(attempt|round)(\\d+)/(planner|ens_planner)\\.md");

    /// @param recorded answers of an example
    /// @param folder where the copy goes
    public static RecordedPlans of(Path recorded, Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(recorded)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            String name = recorded.relativize(file).toString();
            copy(file, folder.resolve(name));
            Matcher asked = IN_SEQUENCE.matcher(name);
            if (asked.matches()) {
                copy(file, folder.resolve(above(asked.toMatchResult())));
            }
        }
        return new RecordedPlans(folder);
    }

    /// Rounds are counted from 0, and all have a planner; attempts have one from number 1 on.
    private static String above(MatchResult asked) {
        int number = Integer.parseInt(asked.group(3)) + (asked.group(2).equals("round") ? 1 : 0);
        return asked.group(1) + asked.group(4) + (number == 1 ? "" : "-" + number) + ".md";
    }

    private static void copy(Path file, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
    }

    /// What is recorded for a step; empty if nothing is.
    public Optional<String> of(StepPath step) {
        try {
            Path file = folder.resolve(step.inside() + ".md");
            return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
