package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Axis;
import io.mlestar.show.render.CurveComparison;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.ScoreCurve;
import io.mlestar.show.render.SolutionDrawing;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph.Stage;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.view.CandidateSolution.Part;
import module java.base;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever a run has found, its drawings are drawn: solutions in any order, parents that are
/// missing, later, the same or a circle, the same solution twice, scores that are no numbers or
/// reach to the ends of the doubles. `-Ddrawings.seed` chooses other ones; a failure names its
/// seed.
class AnyDrawingTest {
    private static final long SEED = Long.getLong("drawings.seed", 20_261_128);
    private static final int DRAWINGS = 400;
    private static final double[] SCORES =
            {0, -0.0, 0.5, 0.50001, 1, -3, 1e300, -1e300, Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE, 1e-300,
                1e15, 1e15 + 1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};

    private final Random random = new Random();

    /// Draws with one seed after the other.
    private void each(Consumer<Random> drawing) {
        for (long seed = SEED; seed < SEED + DRAWINGS; seed++) {
            random.setSeed(seed);
            try {
                drawing.accept(random);
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                throw new AssertionError("with -Ddrawings.seed=" + seed, e);
            }
        }
    }

    private @Nullable Double score() {
        double score = SCORES[random.nextInt(SCORES.length)];
        return random.nextInt(5) == 0 ? null : Double.valueOf(random.nextBoolean() ? score : random.nextGaussian());
    }

    private double number() {
        return score() instanceof Double score ? score : 0;
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private String id() {
        return "step" + random.nextInt(12);
    }

    private List<String> ids() {
        return Stream.generate(this::id).limit(random.nextInt(4)).toList();
    }

    private static void checkDrawing(String svg) {
        assertThat(svg).startsWith("<svg").endsWith("</svg>")
                .doesNotContainPattern("(d|x|y|cx|cy|x1|width|viewBox)=\"[^\"]*(NaN|Infinity)");
    }

    @ParameterizedTest
    @EnumSource(MetricDirection.class)
    void anyGraphIsDrawnWholeAndBounded(MetricDirection direction) {
        each(_ -> {
            List<Node> nodes = new ArrayList<>();
            for (int i = random.nextInt(1, 15); i > 0; i--) {
                Stage stage = new Stage(random.nextInt(4), "Stage " + random.nextInt(3));
                nodes.add(new Node(id(), "/a", stage, random.nextInt(3), random.nextInt(3), "", "Attempt", "", score(),
                        any(Lot.values()), ids()));
            }
            SolutionGraph graph = new SolutionGraph(nodes, 0);
            for (SolutionGraph shown : List.of(graph, graph.bounded(3))) {
                checkDrawing(SolutionDrawing.svg(shown, direction));
                assertThat(shown.chapters()).isNotEmpty();
                assertThat(shown.note()).endsWith(".");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(MetricDirection.class)
    void anySolutionsHaveAGraph(MetricDirection direction) {
        each(_ -> {
            List<CandidateSolution> tried = new ArrayList<>();
            for (int i = random.nextInt(1, 15); i > 0; i--) {
                Optional<Rival> rival =
                        Optional.of(new Rival(random.nextBoolean() ? null : id(), Score.printed(number())))
                                .filter(_ -> random.nextBoolean());
                tried.add(new CandidateSolution(new StepPath("r", id()), any(Part.values()), random.nextInt(3),
                        random.nextInt(3), random.nextInt(3), "One",
                        "a plan", any(StepState.values()), Score.printed(score()), rival,
                        any(new Boolean[] {true, false, null}), ids(), 0.0, 1));
            }
            SolutionAncestry ancestry = new SolutionAncestry(tried, direction);
            SolutionGraph graph = ancestry.graph(StepPath::inside);
            if (!graph.nodes().isEmpty()) {
                checkDrawing(SolutionDrawing.svg(graph.bounded(5), direction));
            }
            assertThat(Stream.of(ancestry.bestModel(), ancestry.ensemble(), ancestry.initial())).hasSize(3);
            tried.forEach(one -> assertThat(Formats.gain(one.lead(direction))).isNotNull());
        });
    }

    @ParameterizedTest
    @EnumSource(MetricDirection.class)
    void anyScoresHaveACurve(MetricDirection direction) {
        each(_ -> {
            List<ScoreCurve.Point> points = IntStream.range(0, random.nextInt(8))
                    .mapToObj(i -> new ScoreCurve.Point(random.nextInt(100), score(), score(),
                            "step", random.nextBoolean() ? "" : "/a"))
                    .toList();
            List<ScoreCurve.Span> phases = IntStream.range(0, random.nextInt(3))
                    .mapToObj(i -> new ScoreCurve.Span("Phase", random.nextInt(-10, 100), random.nextInt(100)))
                    .toList();
            checkDrawing(ScoreCurve.svg(points, phases, direction));
        });
    }

    @ParameterizedTest
    @EnumSource(MetricDirection.class)
    void anyRunsAreCompared(MetricDirection direction) {
        each(_ -> {
            List<CurveComparison.BestLine> lines = IntStream.range(0, random.nextInt(4))
                    .mapToObj(i -> new CurveComparison.BestLine("A", i, IntStream.range(0, random.nextInt(4))
                            .mapToObj(k -> new CurveComparison.Best(random.nextInt(50), number())).toList(),
                            random.nextInt(100)))
                    .toList();
            checkDrawing(CurveComparison.svg("c", "Costs", lines, direction,
                    random.nextBoolean() ? Axis.money() : Axis.time(CurveComparison.end(lines))));
        });
    }
}
