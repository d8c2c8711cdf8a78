package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Controls;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.ScoreCurve;
import io.mlestar.show.render.ScoreCurve.Point;
import io.mlestar.show.render.ScoreCurve.Span;
import io.mlestar.show.render.SolutionDrawing;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph.Stage;
import io.mlestar.show.view.ComparedRun.NewBest;
import module java.base;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// The drawings of a run: the curve of its scores and the graph of its solutions.
class ScoreCurveTest {
    private static final List<Span> PHASES =
            List.of(new Span("Initial solution", 0, 10), new Span("Refinement", 10, 60));

    private static final String HOSTILE = "\"'><script>alert(1)</script>&\u202e";

    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1}";

    private final MemoryStore store = new MemoryStore();

    private static Document drawn(List<Point> points, MetricDirection direction) throws Exception {
        return drawn(ScoreCurve.svg(points, PHASES, direction));
    }

    private static Document drawn(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> all(Document svg, String tag, Predicate<Element> which) {
        NodeList nodes = svg.getElementsByTagName(tag);
        return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).filter(which).toList();
    }

    private static List<Element> all(Document svg, String tag, String type) {
        return all(svg, tag, element -> element.getAttribute("class").equals(type));
    }

    private static String line(Document svg, String type) {
        return all(svg, "path", type).stream().findFirst().map(path -> path.getAttribute("d")).orElse("");
    }

    private static double height(Element dot) {
        return Double.parseDouble(dot.getAttribute("cy"));
    }

    @Test
    void everyEvaluationIsADotTheFailedOnesTicksAndTheBestSoFarALine() throws Exception {
        Document svg = drawn(List.of(new Point(1, 0.7, null, "a", ""), new Point(20, null, null, "b", ""),
                new Point(30, 0.6, null, "c", ""), new Point(40, 0.8, null, "d", "")), MetricDirection.MAXIMIZE);
        assertThat(line(svg, "curve-dots").split("M")).hasSize(1 + 3);
        assertThat(line(svg, "curve-failed").split("M")).hasSize(1 + 1);
        List<Element> improvements = all(svg, "circle", "curve-best-dot");
        assertThat(improvements).extracting(Element::getTextContent).containsExactly("0.70000 after 1.0 s: a",
                "0.80000 after 40.0 s: d");
        assertThat(height(improvements.get(1))).isLessThan(height(improvements.get(0)));
        assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
                .isEqualTo("4 evaluations, 1 failed. First score 0.7, best score 0.8 (higher is better).");
        assertThat(all(svg, "text", "curve-name")).extracting(Element::getTextContent)
                .containsExactly("Initial solution");
        assertThat(all(svg, "text", "curve-name curve-roomy")).as("it has room on a phone")
                .extracting(Element::getTextContent).containsExactly("Refinement");
    }

    @Test
    void aScoreWithAnErrorHasABarThatStaysInTheDrawing() throws Exception {
        Document svg = drawn(List.of(new Point(1, 0.7, 0.01, "a", ""), new Point(20, 0.8, 99.0, "b", ""),
                new Point(30, 0.9, null, "c", "")), MetricDirection.MAXIMIZE);
        String[] bars = line(svg, "curve-errors").split("M");
        assertThat(bars).hasSize(1 + 2);
        double top = Double.parseDouble(bars[2].replaceAll(".*V", ""));
        double foot = Double.parseDouble(bars[2].replaceAll("^\\S+ (.*)V.*", "$1"));
        assertThat(top).isPositive().isLessThan(foot);
        assertThat(foot).isLessThan(320);
        assertThat(all(svg, "circle", "curve-best-dot").getFirst().getTextContent())
                .startsWith("0.70000 ± 0.010 after");
    }

    @Test
    void aScoreFarOffDoesNotFlattenTheRest() throws Exception {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            points.add(new Point(i, 10.0 - i * 0.1, null, "s" + i, ""));
        }
        points.add(new Point(21, 1e9, null, "wild", ""));
        Document svg = drawn(points, MetricDirection.MINIMIZE);
        List<Element> improvements = all(svg, "circle", "curve-best-dot");
        assertThat(height(improvements.getLast()) - height(improvements.getFirst())).isGreaterThan(150);
        assertThat(line(svg, "curve-off")).isNotEmpty();
        assertThat(svg.getElementsByTagName("desc").item(0).getTextContent()).contains("1 far worse scores");
    }

    @Test
    void tenThousandEvaluationsStaySmall() {
        Random random = new Random(1);
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            points.add(new Point(i * 3.7, random.nextInt(10) == 0 ? null : random.nextDouble(), null,
                    "phase2-path0/block" + i, ""));
        }
        assertThat(ScoreCurve.svg(points, PHASES, MetricDirection.MAXIMIZE)).hasSizeLessThan(200_000);
    }

    @Test
    void aStrictContentSecurityPolicyFindsNothingAndHostileNamesStayText() throws Exception {
        String hostile = "\"><script>alert(1)</script>";
        String svg = ScoreCurve.svg(List.of(new Point(1, 0.5, null, hostile, "")), List.of(new Span(hostile, 0, 5)),
                MetricDirection.MAXIMIZE);
        assertThat(svg).doesNotContain("<script", "style=", "<style", " on");
    }

    @Test
    void theTimelineOfARunHoldsItsSolutionScriptsInTheOrderOfTime() {
        MadeRun run =
                MadeRun.ended(new MemoryStore(), "r", "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2}", 3, 25);
        LiveRun live = new LiveRun(run.records(), run.header());
        live.refresh();
        RunCurve curve = live.curve(run.end());
        assertThat(curve.spans()).extracting(Span::name).startsWith("Survey", "Initial solution", "Refinement");
        assertThat(curve.spans()).allSatisfy(span -> assertThat(span.to()).isGreaterThan(span.from()));
        assertThat(curve.points(true)).isSortedAccordingTo(Comparator.comparingDouble(Point::seconds));
        assertThat(curve.points(true)).anyMatch(point -> point.score() == null).anyMatch(point -> point.score() != null)
                .noneMatch(point -> point.step().startsWith("finalization"))
                .noneMatch(point -> point.step().matches(".*/block\\d+/script"));
    }

    private static Node node(String id, int stage, int lane, @Nullable Double score, Lot lot, List<String> parents) {
        return new Node(id, "/steps/" + id, new Stage(stage, "Block " + stage), 0, lane, "Path " + lane,
                "Attempt " + id, "a plan", score, lot, parents);
    }

    private static Document drawn(SolutionGraph graph) throws Exception {
        return drawn(SolutionDrawing.svg(graph, MetricDirection.MAXIMIZE));
    }

    private static List<Element> links(Document svg) {
        return all(svg, "a", _ -> true);
    }

    private static double heightOf(Element link) {
        return Double.parseDouble(((Element) link.getElementsByTagName("circle").item(0)).getAttribute("cy"));
    }

    @Test
    void eachSolutionIsALinkThatSaysWhatItIsAndTheBetterOneStandsHigher() throws Exception {
        Document svg = drawn(new SolutionGraph(
                List.of(node("a", 0, 0, 0.5, Lot.LINEAGE, List.of()), node("b", 1, 0, 0.6, Lot.FINAL, List.of("a")),
                        node("c", 1, 1, null, Lot.FAILED, List.of("a"))),
                0));
        List<Element> links = links(svg);
        assertThat(links).extracting(link -> link.getAttribute("href")).containsExactly("/steps/a", "/steps/b",
                "/steps/c");
        assertThat(links).extracting(link -> link.getAttribute("aria-label")).containsExactly(
                "Attempt a of path 0: 0.50000, the final script comes from it",
                "Attempt b of path 0: 0.60000, what the run gives", "Attempt c of path 1: failed");
        assertThat(links).extracting(link -> link.getAttribute("tabindex")).as("what matters is reached by the Tab key")
                .containsExactly("0", "0", "-1");
        assertThat(heightOf(links.get(1))).isLessThan(heightOf(links.get(0)));
        assertThat(heightOf(links.get(2))).as("what has no score stands at the foot")
                .isGreaterThan(heightOf(links.get(0)));
        assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
                .isEqualTo("3 solutions; the final script and the 1 it comes from are marked.");
    }

    @Test
    void hostileTextOfAGraphStaysText() throws Exception {
        SolutionGraph graph = new SolutionGraph(List
                .of(new Node(HOSTILE, HOSTILE, new Stage(0, HOSTILE), 0, 0, HOSTILE, HOSTILE, HOSTILE, 0.5, Lot.KEPT,
                        List.of(HOSTILE))),
                0);
        assertThat(SolutionDrawing.svg(graph, MetricDirection.MAXIMIZE)).doesNotContain("<script", "style=", "<style");
        assertThat(links(drawn(graph)).getFirst().getAttribute("href")).isEqualTo(Controls.shown(HOSTILE))
                .endsWith("&\\u202e");
    }

    @Test
    void aHundredAndFiftySolutionsWithLongPlansStaySmall() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            nodes.add(new Node("n" + i, "/runs/some-run/steps/phase2-path0/block" + i, new Stage(i, "Block " + i), i, 0,
                    "Path 0, block " + i, "Attempt 0",
                    "x".repeat(200), i / 3.0, Lot.KEPT, i == 0 ? List.of() : List.of("n" + (i - 1))));
        }
        assertThat(SolutionDrawing.svg(new SolutionGraph(nodes, 0), MetricDirection.MAXIMIZE)).hasSizeLessThan(120_000);
    }

    private Comparison compared(String... runs) {
        Records records = new Records(store);
        return Comparison.of(records, Stream.of(runs).map(run -> records.header(run).orElseThrow()).toList(),
                Instant.now());
    }

    @Test
    void theCurvesEndWithTheBestScoreAndTheWholeCost() {
        MadeRun.ended(store, "a", CONFIG, 3, 0);
        ComparedRun run = compared("a", "a").runs().getFirst();
        assertThat(run.best()).isNotEmpty().isSortedAccordingTo(Comparator.comparingDouble(NewBest::score))
                .isSortedAccordingTo(Comparator.comparingDouble(NewBest::seconds))
                .isSortedAccordingTo(Comparator.comparingDouble(NewBest::costUsd));
        assertThat(run.best().getLast().score()).isGreaterThanOrEqualTo(run.figures().bestScoreSoFar());
        assertThat(run.best().getLast().costUsd()).isPositive()
                .isLessThanOrEqualTo(run.figures().knownCostUsd() + 1e-9);
        assertThat(run.best().getLast().seconds()).isLessThanOrEqualTo(run.seconds());
        assertThat(run.bestModel()).isNotNull();
        RunState state = RunState.of(new Records(store), new Records(store).header("a").orElseThrow(), Instant.now());
        assertThat(run.agentCalls()).isEqualTo(state.agentCallCount());
        assertThat(run.scripts()).isEqualTo(state.scriptCount());
    }

    @Test
    void whatAForkSharesCostsItNothing() {
        DrivenRun.start(store, "r", CONFIG, 0).untilTheEnd();
        DrivenRun.sharing(store, "f", "r", CONFIG).untilTheEnd();
        List<ComparedRun> runs = compared("r", "f").runs();
        assertThat(runs.get(1).agentCalls()).isLessThan(runs.get(0).agentCalls());
        assertThat(runs.get(1).best().getFirst().costUsd()).isZero();
    }

    @Test
    void everyRunHasALineADashAndALetter() throws Exception {
        MadeRun.ended(store, "a", CONFIG, 3, 0);
        MadeRun.ended(store, "b", CONFIG, 4, 10);
        MadeRun.ended(store, "failed", CONFIG, 1, 100);
        Comparison comparison = compared("a", "b", "failed");
        for (String svg : List.of(comparison.overTime(), comparison.overCost())) {
            assertThat(svg).contains("compared-line compared-0", "compared-line compared-1", ">A</text>", ">B</text>")
                    .doesNotContain("NaN", "Infinity",
                            "style=");
            assertThat(drawn(svg).getElementsByTagName("title").getLength()).isOne();
        }
        assertThat(drawn(compared("failed", "failed").overCost())).as("nothing to draw is drawn, too").isNotNull();
    }

    @Test
    void aTerminalShowsThemAsTables() {
        MadeRun.ended(store, "a", CONFIG, 3, 0);
        MadeRun.ended(store, "b", CONFIG.replace("\"inner_loop_steps\": 2", "\"inner_loop_steps\": 1"), 3, 0);
        assertThat(compared("a", "b").text().lines().toList()).hasSize(3 + 1 + 2).satisfies(lines -> {
            assertThat(lines.getFirst()).contains("RUN", "SCORE", "VS BEST MODEL", "COST");
            assertThat(lines.get(2)).matches("B +b +completed +0\\.\\d{5} +\\S+ +\\$.*AUC");
            assertThat(lines.getLast()).matches("inner_loop_steps +2 +1");
        });
        assertThat(compared("a", "a").text()).endsWith("all were started alike");
    }
}
