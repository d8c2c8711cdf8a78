package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph.Stage;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A [SolutionGraph] as an inline SVG: the course of the run from left to right, the score upwards,
/// what has none at the foot. Each solution is a link. Shape and size say what became of it,
/// without its colour. Those that matter are reached by the Tab key; the others stand in the list
/// that goes with it. Holds no script, no `style` attribute and no colour: `figures.css` gives
/// those.
public final class SolutionDrawing {
    private static final int HEIGHT = 340;
    private static final int LEFT = 66;
    private static final int TOP = 30;
    private static final int BOTTOM = HEIGHT - 44;
    private static final int FOOT = HEIGHT - 20;
    private static final int SLOT = 26;
    private static final int LANE = 9;
    private static final int NARROWEST = 60;
    /// The width of the report, and nearly that of a page: a graph that needs less is stretched.
    private static final int PAGE = 940;
    private static final int RIGHT = 8;
    private static final double LETTER = 6.8;

    /// The columns of a stage in the drawing.
    private record Band(double from, double width, Map<Integer, Integer> slots, int lanes) {}

    private record PlotPoint(double x, double y) {}

    private final SolutionGraph graph;
    private final ScoreScale scale;
    private final Map<Stage, Band> bands = new TreeMap<>();
    private final Map<String, PlotPoint> places = new HashMap<>();
    private final double width;
    private final Svg svg = new Svg();

    private SolutionDrawing(SolutionGraph graph, MetricDirection direction) {
        this.graph = graph;
        this.scale =
                ScoreScale.of(
                        graph.nodes().stream().map(Node::score).filter(Objects::nonNull).toList(),
                        direction);
        this.width = bands();
        graph.nodes().forEach(node -> places.put(node.id(), place(node)));
    }

    /// @param graph at least one node; [SolutionGraph#bounded], for it is drawn whole
    public static String svg(SolutionGraph graph, MetricDirection direction) {
        return new SolutionDrawing(graph, direction).draw();
    }

    /// @return where the last one ends
    private double bands() {
        Map<Stage, TreeSet<Integer>> slots = new TreeMap<>();
        graph.nodes()
                .forEach(node -> slots.computeIfAbsent(node.stage(), stage -> new TreeSet<>())
                        .add(node.slot()));
        Map<Stage, Band> needed = new TreeMap<>();
        for (Map.Entry<Stage, TreeSet<Integer>> stage : slots.entrySet()) {
            Map<Integer, Integer> order = new HashMap<>();
            stage.getValue().forEach(slot -> order.put(slot, order.size()));
            int lanes = 1 + graph.nodes()
                    .stream()
                    .filter(node -> node.stage().equals(stage.getKey()))
                    .mapToInt(Node::lane)
                    .max()
                    .orElse(0);
            double wide = Math.max(NARROWEST, order.size() * Math.max(SLOT, lanes * LANE) + 12);
            needed.put(stage.getKey(), new Band(0, wide, order, lanes));
        }
        double stretch = Math.max(1,
                (PAGE - LEFT - RIGHT) / needed.values().stream().mapToDouble(Band::width).sum());
        double at = LEFT;
        for (Map.Entry<Stage, Band> stage : needed.entrySet()) {
            Band band = stage.getValue();
            bands.put(stage.getKey(),
                    new Band(at, band.width() * stretch, band.slots(), band.lanes()));
            at += band.width() * stretch;
        }
        return at + RIGHT;
    }

    private PlotPoint place(Node node) {
        Band band = Objects.requireNonNull(bands.get(node.stage()));
        double step = (band.width() - 12) / band.slots().size();
        double x = band.from() + 6 + step * Objects.requireNonNull(band.slots().get(node.slot()))
                + step * (node.lane() + 0.5) / band.lanes();
        Double score = node.score();
        return new PlotPoint(x, score != null && Double.isFinite(score) ? height(score) : FOOT);
    }

    private double height(double score) {
        return BOTTOM - 10 - scale.height(score) * (BOTTOM - 10 - TOP - 14);
    }

    private String draw() {
        svg.open("svg", "class", Math.round(width) > PAGE ? "graph graph-broad" : "graph", "role",
                "group", "width", width, "height", HEIGHT, "viewBox",
                "0 0 " + Svg.number(width) + " " + HEIGHT, "aria-labelledby",
                "graph-name graph-desc");
        svg.text("title", "Solutions by score over the course of the run", "id", "graph-name");
        svg.text("desc",
                graph.note() + (scale.off() == 0
                        ? ""
                        : " " + scale.off() + " far worse scores are drawn at the edge."),
                "id", "graph-desc");
        stages();
        axis();
        edges();
        graph.nodes().forEach(this::node);
        return svg.close("svg").toString();
    }

    private void stages() {
        int number = 0;
        for (Map.Entry<Stage, Band> stage : bands.entrySet()) {
            Band band = stage.getValue();
            svg.empty("rect", "class", number++ % 2 == 0 ? "graph-stage" : "graph-stage graph-odd",
                    "x", band.from(), "y", 0, "width", band.width(), "height", HEIGHT);
            String name = stage.getKey().name();
            boolean fits = name.length() * LETTER + 8 <= band.width();
            text("graph-name", band.from() + 6, TOP - 12,
                    fits ? name : name.substring(name.lastIndexOf(' ') + 1));
        }
    }

    private void axis() {
        if (places.values().stream().anyMatch(place -> place.y() < FOOT)) {
            Ticks ticks = Ticks.of(scale.low(), scale.high(), 6);
            for (double value : ticks.values()) {
                svg.path("curve-grid",
                        "M" + LEFT + " " + Svg.number(height(value)) + "H" + Svg.number(width));
                text("curve-y", LEFT - 8, height(value) + 4, ticks.label(value));
            }
        }
        svg.path("curve-axis", "M" + LEFT + " " + (BOTTOM + 6) + "H" + Svg.number(width));
        text("curve-y", LEFT - 8, FOOT + 4, "no score");
    }

    private static String at(double x, PlotPoint height) {
        return Svg.number(x) + " " + Svg.number(height.y());
    }

    /// All of a kind are one path.
    private void edges() {
        Map<Lot, StringBuilder> paths = new EnumMap<>(Lot.class);
        Set<String> main = graph.nodes()
                .stream()
                .filter(Node::isMain)
                .map(Node::id)
                .collect(Collectors.toSet());
        for (Node node : graph.nodes()) {
            PlotPoint to = Objects.requireNonNull(places.get(node.id()));
            for (String parent : node.parents()) {
                PlotPoint from = places.get(parent);
                if (from != null) {
                    double bend = (to.x() - from.x()) / 2;
                    paths.computeIfAbsent(edge(node, main.contains(parent)),
                            lot -> new StringBuilder())
                            .append("M" + at(from.x(), from))
                            .append("C" + at(from.x() + bend, from))
                            .append(" " + at(to.x() - bend, to))
                            .append(" " + at(to.x(), to));
                }
            }
        }
        for (Lot lot : List.of(Lot.DROPPED, Lot.KEPT, Lot.LINEAGE)) {
            svg.path("graph-edge " + type(lot), paths.getOrDefault(lot, new StringBuilder()));
        }
    }

    /// Styles the edge to a node.
    private static Lot edge(Node node, boolean isFromMain) {
        if (node.isMain() && isFromMain) {
            return Lot.LINEAGE;
        }
        return node.lot() == Lot.KEPT ? Lot.KEPT : Lot.DROPPED;
    }

    private static String type(Lot lot) {
        return "graph-" + lot.name().toLowerCase(Locale.ROOT);
    }

    private void node(Node node) {
        PlotPoint at = Objects.requireNonNull(places.get(node.id()));
        svg.open("a", "class", "graph-node " + type(node.lot()), "href", node.address(),
                "aria-label", node.words(), "tabindex", node.isMain() ? 0 : -1);
        svg.text("title", node.words() + (node.says().isEmpty() ? "" : "\n" + node.says()));
        circle(at, 11, "graph-touch");
        switch (node.lot()) {
            case FINAL -> {
                circle(at, 9, "graph-ring");
                circle(at, 5.5, "graph-dot");
            }
            case LINEAGE, LEADING -> circle(at, 5.5, "graph-dot");
            case KEPT, DROPPED, OPEN -> circle(at, 4, "graph-dot");
            case FAILED ->
                svg.path("graph-dot",
                        "M" + Svg.number(at.x()) + " " + Svg.number(at.y()) + "m-4-4l8 8m0-8l-8 8");
        }
        svg.close("a");
    }

    private void circle(PlotPoint at, double radius, String type) {
        svg.empty("circle", "class", type, "r", radius, "cx", at.x(), "cy", at.y());
    }

    private void text(String type, double x, double y, String words) {
        svg.text("text", words, "class", type, "x", x, "y", y);
    }
}
