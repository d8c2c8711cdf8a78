package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.report.Ablations.Variant;
import org.junit.jupiter.api.Test;

class AblationsTest {
    @Test
    void namesAndScoresAreReadFromWhatTheStudyPrinted() {
        Ablations study = Ablations.read("""
                Loading 7000 rows
                baseline: ROC-AUC 0.7971 (change +0.0000)
                without the boosting: ROC-AUC 0.7886 (change -0.0085)
                - No scaling = 0.8001
                Ablation 2 (no PCA) Validation Performance: 0.81e0
                Contributes most: the script without the boosting loses 0.0085 of ROC-AUC.
                """);
        assertThat(study.unchanged()).isEqualTo(0.7971);
        assertThat(study.variants()).contains(new Variant("without the boosting", 0.7886), new Variant("No scaling", 0.8001),
                new Variant("Ablation 2 (no PCA) Validation Performance", 0.81));
        assertThat(study.variants()).noneMatch(variant -> variant.name().startsWith("Contributes"));
    }

    @Test
    void withoutABaselineThereIsNoFigure() {
        assertThat(Ablations.read("no scaling: 0.5\nno PCA: 0.4\n").variants()).isEmpty();
        assertThat(Ablations.read("").variants()).isEmpty();
        assertThat(Ablations.read(("x".repeat(399) + "\n").repeat(5_000) + "baseline: 0.5\na: 0.4\n").variants()).as("bounded").isEmpty();
    }

    @Test
    void worseIsLeftAndBetterIsRightWhateverTheDirection() {
        Ablations study = Ablations.read("original: 1.0\nworse: 1.5\nbetter: 0.5\n<b>: 0.7\n");
        String svg = study.svg(MetricDirection.MINIMIZE);
        assertThat(svg).containsOnlyOnce("bars-worse").contains("worse</text><rect class=\"bars-worse\"", "better</text><rect class=\"bars-better\"")
                .doesNotContain("style=", "<b>");
    }
}
