package io.mlestar.show.render;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The solutions that a run has tried: which came from which, how they scored, and what became of
/// them.
///
/// @param nodes in the order of the course; a parent may stand later, or be missing
/// @param leftOut how many there are beside these
public record SolutionGraph(List<Node> nodes, int leftOut) {
    /// The fate of a solution, the most important first.
    public enum Lot {
        FINAL("what the run gives"), LINEAGE("the final script comes from it"),
        LEADING("the search goes on from it"), KEPT("kept for a while"), OPEN("not decided yet"),
        DROPPED("not kept"), FAILED("failed");

        private final String words;

        Lot(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }

        /// True if this is the final script, or the final script comes from it, or the search goes
        /// on from it.
        public boolean isMain() {
            return this == FINAL || this == LINEAGE || this == LEADING;
        }
    }

    /// A part of the course, such as one block on all paths.
    public record Stage(int order, String name) implements Comparable<Stage> {
        @Override
        public int compareTo(Stage other) {
            return Integer.compare(order, other.order);
        }
    }

    /// A solution.
    ///
    /// @param id unlike all others
    /// @param address where its code is shown
    /// @param slot its place in the stage, from 0
    /// @param lane which of the parallel paths it is on, from 0
    /// @param chapter what it belongs to; may be empty
    /// @param says plan or model, one line; may be empty
    /// @param score null if it has none
    /// @param parents ids of what it was made of
    public record Node(
            String id,
            String address,
            Stage stage,
            int slot,
            int lane,
            String chapter,
            String title,
            String says,
            @Nullable Double score,
            Lot lot,
            List<String> parents) {
        Node madeOf(List<String> others) {
            return new Node(id, address, stage, slot, lane, chapter, title, says, score, lot,
                    others);
        }

        /// All of it in one line.
        public String words() {
            return title + (chapter.isEmpty() ? "" : " of " + chapter.toLowerCase(Locale.ROOT))
                    + ": " + outcome();
        }

        /// Its score, if it has one, and what became of it.
        public String outcome() {
            return (score == null ? "" : Formats.score(score) + ", ") + lot.words();
        }

        public boolean isMain() {
            return lot.isMain();
        }
    }

    /// A part of the graph as a list.
    public record Chapter(String name, List<Node> nodes) {}

    public SolutionGraph {
        nodes = List.copyOf(nodes);
    }

    /// Keeps the most important nodes. A kept node whose parent is left out is drawn from its
    /// nearest kept ancestors.
    ///
    /// @param most nodes that are kept
    public SolutionGraph bounded(int most) {
        if (nodes.size() <= most) {
            return this;
        }
        List<Node> byWeight = new ArrayList<>(nodes.reversed());
        byWeight.sort(Comparator.comparing(Node::lot));
        Set<String> kept = new HashSet<>();
        byWeight.stream().limit(most).forEach(node -> kept.add(node.id()));
        Map<String, List<String>> parents = new HashMap<>();
        nodes.forEach(node -> parents.put(node.id(), node.parents()));
        List<Node> shown = new ArrayList<>();
        for (Node node : nodes) {
            if (kept.contains(node.id())) {
                shown.add(node.madeOf(standIns(node, kept, parents)));
            }
        }
        return new SolutionGraph(shown, leftOut + nodes.size() - shown.size());
    }

    /// The nearest of its ancestors that are kept.
    private static List<String> standIns(
            Node node,
            Set<String> kept,
            Map<String, List<String>> parents) {
        Set<String> seen = new HashSet<>(Set.of(node.id()));
        List<String> found = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>(node.parents());
        while (!open.isEmpty()) {
            String next = open.pop();
            if (!seen.add(next)) {
                continue;
            }
            if (kept.contains(next)) {
                found.add(next);
            } else {
                open.addAll(parents.getOrDefault(next, List.of()));
            }
        }
        return found;
    }

    /// The same as a nested list.
    public List<Chapter> chapters() {
        Map<String, List<Node>> chapters = new LinkedHashMap<>();
        nodes.forEach(node -> chapters.computeIfAbsent(node.chapter(), name -> new ArrayList<>())
                .add(node));
        return chapters.entrySet()
                .stream()
                .map(chapter -> new Chapter(chapter.getKey(), List.copyOf(chapter.getValue())))
                .toList();
    }

    /// Tells a reader what the graph shows and marks.
    public String note() {
        long main = nodes.stream().filter(Node::isMain).count();
        Optional<Node> last = nodes.stream().filter(node -> node.lot() == Lot.FINAL).findFirst();
        String shown = leftOut == 0
                ? Formats.count(nodes.size(), "solution")
                : nodes.size() + " of " + (nodes.size() + leftOut)
                        + " solutions: what the final script comes from, what was kept, and the latest of the rest";
        if (last.isPresent()) {
            return shown + "; the final script and the " + (main - 1)
                    + " it comes from are marked.";
        }
        return shown + (main > 0 ? "; what the search goes on from is marked." : ".");
    }
}
