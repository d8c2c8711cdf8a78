package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.ScoreCurve.Point;
import io.mlestar.show.render.ScoreCurve.Span;
import io.mlestar.show.render.ScoreCurve;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ScoreCurveTest {
    private static final List<Span> PHASES =
            List.of(new Span("Initial solution", 0, 10), new Span("Refinement", 10, 60));

    private static Document drawn(List<Point> points, MetricDirection direction) throws Exception {
        String svg = ScoreCurve.svg(points, PHASES, direction);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> all(Document svg, String tag, String type) {
        NodeList nodes = svg.getElementsByTagName(tag);
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            Element element = (Element) nodes.item(i);
            if (element.getAttribute("class").equals(type)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String line(Document svg, String type) {
        return all(svg, "path", type).stream().findFirst().map(path -> path.getAttribute("d")).orElse("");
    }

    private static double height(Element dot) {
        return Double.parseDouble(dot.getAttribute("cy"));
    }

    @Test
    void everyEvaluationIsADotTheFailedOnesTicksAndTheBestSoFarALine() throws Exception {
        Document svg = drawn(
                List.of(new Point(1, 0.7, null, "a", ""), new Point(20, null, null, "b", ""),
                        new Point(30, 0.6, null, "c", ""),
                        new Point(40, 0.8, null, "d", "")),
                MetricDirection.MAXIMIZE);
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
        Document svg = drawn(
                List.of(new Point(1, 0.7, 0.01, "a", ""), new Point(20, 0.8, 99.0, "b", ""),
                        new Point(30, 0.9, null, "c", "")),
                MetricDirection.MAXIMIZE);
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
        assertThat(curve.points(true)).isSortedAccordingTo(java.util.Comparator.comparingDouble(Point::seconds));
        assertThat(curve.points(true)).anyMatch(point -> point.score() == null).anyMatch(point -> point.score() != null)
                .noneMatch(point -> point.step().startsWith("finalization"))
                .noneMatch(point -> point.step().matches(".*/block\\d+/script"));
    }
}
