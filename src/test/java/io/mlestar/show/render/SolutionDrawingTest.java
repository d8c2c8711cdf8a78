package io.mlestar.show.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Controls;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph.Stage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SolutionDrawingTest {
    private static final String HOSTILE = "\"'><script>alert(1)</script>&\u202e";

    private static Node node(String id, int stage, int lane, @Nullable Double score, Lot lot, List<String> parents) {
        return new Node(id, "/steps/" + id, new Stage(stage, "Block " + stage), 0, lane, "Path " + lane,
                "Attempt " + id, "a plan", score, lot, parents);
    }

    private static Document drawn(SolutionGraph graph) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        SolutionDrawing.svg(graph, MetricDirection.MAXIMIZE).getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> links(Document svg) {
        NodeList nodes = svg.getElementsByTagName("a");
        List<Element> links = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            links.add((Element) nodes.item(i));
        }
        return links;
    }

    private static double height(Element link) {
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
        assertThat(height(links.get(1))).isLessThan(height(links.get(0)));
        assertThat(height(links.get(2))).as("what has no score stands at the foot").isGreaterThan(height(links.get(0)));
        assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
                .isEqualTo("3 solutions; the final script and the 1 it comes from are marked.");
    }

    @Test
    void hostileTextStaysText() throws Exception {
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
}
