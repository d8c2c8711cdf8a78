package io.mlestar.bench;

import io.mlestar.task.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// A part of a benchmark's competitions whose results are told together.
///
/// @param title as the leaderboard calls it
public record Split(String title, List<String> competitions) {
    /// MLE-bench's files of names, and their columns on its leaderboard.
    private static final SequencedMap<String, String> KNOWN = new LinkedHashMap<>();

    static {
        KNOWN.put("low", "Low == Lite (%)");
        KNOWN.put("medium", "Medium (%)");
        KNOWN.put("high", "High (%)");
        KNOWN.put("split75", "All (%)");
    }

    /// Those of a checkout of MLE-bench; without one, all competitions that are there.
    ///
    /// @throws Invalid if the checkout has none
    public static List<Split> of(Optional<Path> checkout, List<Competition> competitions) {
        if (checkout.isEmpty()) {
            return List.of(new Split("All (%)", competitions.stream().map(Competition::id).toList()));
        }
        List<Split> splits = new ArrayList<>();
        KNOWN.forEach((file, title) -> splits.add(new Split(title, names(checkout.get().resolve("experiments/splits").resolve(file + ".txt")))));
        return splits;
    }

    private static List<String> names(Path file) {
        try {
            return Files.readAllLines(file).stream().map(String::strip).filter(name -> !name.isEmpty()).toList();
        } catch (IOException e) {
            throw new Invalid("the list of competitions " + file + " cannot be read: " + e.getMessage());
        }
    }
}
