package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When *select* refutes the score that a script has on the rows of the search.
class OverstatementTest {
    private static final int SEARCH = 900;
    private static final int SELECT = 100;

    /// What an honest script scores beside it: 0.633 on the search, 0.61 on select.
    @ParameterizedTest
    @CsvSource(textBlock = """
            # what it is,                           MAXIMIZE, search, error, select, error, refuted
            labels of all folds by heart,           MAXIMIZE, 1.0,    0,     0.49,   0.04,  true
            labels shared among the runs,           MAXIMIZE, 0.932,  0.007, 0.61,   0.04,  true
            a good script,                          MAXIMIZE, 0.70,   0.015, 0.68,   0.04,  false
            select is the easier part,              MAXIMIZE, 0.70,   0.015, 0.98,   0.02,  false
            the best of many by luck,               MAXIMIZE, 0.69,   0.015, 0.61,   0.04,  false
            an error that is small by heart,        MINIMIZE, 0.01,   0.001, 0.60,   0.04,  true
            an error,                               MINIMIZE, 0.55,   0.015, 0.60,   0.04,  false
            """)
    void aScoreIsRefutedIfSelectIsWorseBeyondChance(String what, MetricDirection direction, double search,
            double searchError,
            double select, double selectError, boolean isRefuted) {
        Validation honest = validation(0.633, 0.015, 0.61, 0.04);
        Validation script = validation(search, searchError, select, selectError);

        assertThat(Overstatement.isSure(script, List.of(honest, script), direction)).as(what).isEqualTo(isRefuted);
        assertThat(Overstatement.isSure(script, List.of(script), direction)).as("nothing to compare with").isFalse();
    }

    private static Validation validation(double search, double searchError, double select, double selectError) {
        return new Validation("d", "key", search, select, List.of(search - searchError, search, search + searchError),
                List.of(select - selectError, select, select + selectError));
    }

    /// 40 scripts that are right for 70 % of the rows, each on its own, where the rows of select
    /// are harder for all.
    @Test
    void ofManyHonestScriptsNoneIsRefuted() {
        int refuted = 0;
        for (int run = 0; run < 20; run++) {
            List<Validation> scripts = new ArrayList<>();
            for (int script = 0; script < 40; script++) {
                scripts.add(drawn(new Random(100L * run + script), 0.7, run % 2 == 0 ? 0.7 : 0.4));
            }
            refuted += (int) scripts.stream()
                    .filter(script -> Overstatement.isSure(script, scripts, MetricDirection.MAXIMIZE)).count();
        }
        assertThat(refuted).as("of 800").isLessThanOrEqualTo(4);
    }

    private static Validation drawn(Random chance, double onSearch, double onSelect) {
        boolean[] search = new boolean[SEARCH];
        boolean[] select = new boolean[SELECT];
        IntStream.range(0, SEARCH).forEach(row -> search[row] = chance.nextDouble() < onSearch);
        IntStream.range(0, SELECT).forEach(row -> select[row] = chance.nextDouble() < onSelect);
        return new Validation("d", "key", mean(search), mean(select), draws(search), draws(select));
    }

    private static double mean(boolean[] right) {
        return IntStream.range(0, right.length).filter(row -> right[row]).count() / (double) right.length;
    }

    /// On the same resamples for all scripts.
    private static List<Double> draws(boolean[] right) {
        Random chance = new Random(1);
        return IntStream.range(0, 50)
                .mapToObj(_ -> chance.ints(right.length, 0, right.length).filter(row -> right[row]).count()
                        / (double) right.length)
                .toList();
    }

    @Test
    void aScriptThatKnowsTheLabelsOfTheFoldsIsNotChosenAndTheResultSaysSo() {
        String byHeart = "recite()\n# score 1.0\n# select 0.49";
        Scenario scenario = TrustedScoresTest.scenarioWith(byHeart);

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestSolution().content()).as("the search believes it")
                .contains("recite()");
        assertThat(solved.finalSolution().content()).doesNotContain("recite()");
        assertThat(solved.lineage())
                .contains("not chosen: phase2/leg0/path0-attempt1: score 1.000 ± 0.010; on rows kept for this choice: "
                        + "0.490 ± 0.010, worse beyond chance, as if it knew labels of the search");
        assertThat(solved.lineage()).anyMatch(line -> line.startsWith("chosen: phase3/blend: score 0.81"));
    }
}
