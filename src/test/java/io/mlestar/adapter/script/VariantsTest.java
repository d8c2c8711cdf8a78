package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Workspace;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The module that compares variants in studies and looks, run by Python.
@Timeout(300)
class VariantsTest {
    private static final String BEGIN = """
            import os
            os.environ['MLE_STAR_SECONDS'] = '%d'
            import math, time
            from variants import Study
            """;

    @TempDir
    private Path folder;

    private Sandbox.Raw run(int seconds, String program) throws IOException, InterruptedException {
        Workspace workspace = Sandboxes.workspace(folder);
        workspace.addModules(null);
        return Sandboxes.run(Sandboxes.of(Isolation.strongest(Sandboxes.PYTHON)), workspace, Sandboxes.AMPLE,
                BEGIN.formatted(seconds) + program, "study.py");
    }

    /// Without the seconds, of which only the first lines' are known.
    private List<String> lines(int seconds, String program) throws IOException, InterruptedException {
        Sandbox.Raw raw = run(seconds, program);
        assertThat(raw.exitCode()).as(raw.stderr()).isZero();
        return raw.stdout().lines()
                .map(line -> line.replaceAll(" +[\\d.]+  (?=\\S)", " | ").strip().replaceAll(" {2,}", " | ")
                        .replaceFirst("^\\d+ of (\\d+ s used), \\d+ before the first variant", "N of $1"))
                .toList();
    }

    @Test
    void eachVariantIsComparedWithTheFirstByTheRowsThatBothPredict() throws Exception {
        assertThat(lines(60,
                """
                        y = list(range(100))
                        study = Study(100, loss=lambda p: [(a - b) ** 2 for a, b in zip(y, p)], scale=math.sqrt)
                        seen = sorted(row for learn, held in study.splits for row in held)
                        assert seen == y and all(not set(learn) & set(held) for learn, held in study.splits)
                        first = study.variant('off by 2', lambda: [each + 2 for each in y])
                        study.variant('off by 1 or 3', lambda: [each + 1 + 2 * (each % 2) for each in y])
                        study.variant('off by 1, not for all', lambda: [math.nan if each < 50 else each + 1 for each in first][2:] + [100] * 2)
                        """))
                .startsWith("score | better than first by | folds | s | variant", "2 | first | off by 2")
                .satisfies(lines -> assertThat(lines.get(2)).startsWith("2.23607 | -0.236 ± 0.09")
                        .endsWith(" | off by 1 or 3"))
                .contains("of 2 equal variants the best may lead by 1.2 errors; shown to be better: none")
                .last().isEqualTo("N of 60 s used; left undone: nothing");
    }

    @Test
    void whatIsGreaterMayBeBetterAndGroupsAreCountedWhole() throws Exception {
        assertThat(lines(60, """
                study = Study(12, higher_is_better=True, groups='aabbccddeeff')
                assert all(len({study.fold[row], study.fold[row + 1]}) == 1 for row in range(0, 12, 2))
                study.variant('none', lambda: [0] * 12)
                study.variant('one group', lambda: [[1, 1]] * 2 + [[0, 0]] * 8 + [[-.2, 0]] * 2)
                """)).contains("score | better than first by | groups | s | variant",
                "0.15 | +0.15 ± 0.17 noise, -0.02 without a | 1/6 | one group")
                .as("a single one is not chosen").noneMatch(line -> line.contains("may lead"));
    }

    @Test
    void aFinerLossTellsWhatACoarseOneDoesNot() throws Exception {
        assertThat(lines(60, """
                y = [each % 2 for each in range(20)]
                study = Study(20, loss=lambda p: [round(each) != a for each, a in zip(p, y)],
                        finer=lambda p: [(each - a) ** 2 for each, a in zip(p, y)])
                study.variant('unsure', lambda: [.375 + a * .25 for a in y])
                study.variant('surer', lambda: [.25 + a * .5 for a in y])
                study.variant('sure', lambda: [a + .01 * (row == 3) for row, a in enumerate(y)])
                study.variant('wrong', lambda: [.3] * 20)
                """)).contains("0 | +0 ± 0, finer +0.141 ± 5e-06 | 0/5 | sure",
                "of 3 equal variants the best may lead by 1.5 errors; shown to be better: none; by the finer loss: sure, surer");
    }

    @Test
    void thoseThatLeadByMoreThanLuckAreNamedBestFirst() throws Exception {
        assertThat(lines(60, """
                study = Study(10)
                study.variant('first', lambda: [2] * 10)
                study.variant('half', lambda: [1] * 9 + [3])
                study.variant('best', lambda: [0] * 9 + [1])
                study.variant('uneven', lambda: [0, 4] * 5)
                """)).contains("of 3 equal variants the best may lead by 1.5 errors; shown to be better: best, half");
    }

    @Test
    void foldsAreThoseOfTheFileOrFollowEachOtherInTime() throws Exception {
        assertThat(run(60, "print(Study(10, order=range(10, 0, -1)).fold)").stdout())
                .contains("[0, 1, 2, 3, 4, -1, -1, -1, -1, -1]");
        Files.writeString(folder.resolve("data/study_folds.csv"), "fold,file\n1,a\n0,b\n-1,c\n");
        assertThat(run(60, "print(Study(3).splits, Study(3, order='abc').splits)").stdout())
                .contains("[([0, 2], [1]), ([1, 2], [0])] [([0, 2], [1]), ([2], [0])]");
        assertThat(run(60,
                "print([Study(3, groups='abc', seed=seed).fold[2] for seed in (1, 2)], Study(3, seed=1).fold[:2],"
                        + " Study(3).drawn(1) == Study(3, seed=1).splits)")
                .stdout())
                .containsPattern("\\[-1, -1] \\[[0-4], [0-4]] True");
        Files.writeString(folder.resolve("data/study_folds.csv"), "fold,group\n0,7\n1,8\n0,7\n1,9\n-1,\n");
        assertThat(run(60, "fold = Study(5, groups='abcde', seed=1).fold; print(fold[0] == fold[2], sorted(set(fold)))")
                .stdout())
                .as("of what the shared folds keep together").contains("True [-1, 0, 1, 2]");
        Files.writeString(folder.resolve("data/study_folds.csv"), "fold\n1\n0\n-1\n");
        assertThat(run(60, "Study(4)").stderr())
                .contains("study_folds.csv has 3 rows, not 4: all rows of the training table are needed");
        assertThat(run(60, "print(Study(4, folds=[0, 0, -1, 1]).splits)").stdout()).as("of another table")
                .contains("[([2, 3], [0, 1]), ([0, 1, 2], [3])]");
        assertThat(run(60, "Study(4, folds=[0])").stderr()).contains("ValueError: folds has 1 entries, not 4");
        assertThat(run(60, "Study(3, folds=[])").stderr()).as("not the shared ones instead")
                .contains("ValueError: folds has 0 entries, not 3");
    }

    @Test
    void aVariantThatFailsOrDoesNotEndLeavesTheOthersTheirTime() throws Exception {
        assertThat(lines(30, """
                def endless():
                    while True:
                        try:
                            time.sleep(0.01)
                        except Exception:
                            print('caught')
                def caught(times=[]):
                    while True:
                        try:
                            time.sleep(100)
                        except:
                            times.append(1)
                            if len(times) > 1:
                                raise
                study = Study(10)
                study.variant('first', lambda: [1] * 10)
                study.variant('endless', endless, share=0.05)
                study.variant('caught once', caught, share=0.05)
                study.variant('wrong', lambda: 1 / 0)
                study.variant('short', lambda: [1])
                study.variant('last', lambda: [0] * 10)
                """))
                .contains("stopped: too slow | endless", "stopped: too slow | caught once", "0 | +1 ± 0 | 5/5 | last",
                        "failed | wrong (line 23: ZeroDivisionError: division by zero)",
                        "failed | short (ValueError: 1 figures, but there are 10 rows and 5 folds)")
                .doesNotContain("caught").last().isEqualTo("N of 30 s used; left undone: endless, caught once");
    }

    @Test
    void whatNoTimeIsLeftForIsNotBegunAndNamedAtTheEnd() throws Exception {
        assertThat(lines(10, """
                study = Study(10)
                study.variant('first', lambda: [1] * 10)
                study.variant('long', lambda: time.sleep(100), share=1)
                study.variant('late', lambda: [0] * 10)
                """)).noneMatch(line -> line.endsWith("| late")).last()
                .isEqualTo("N of 10 s used; left undone: long, late");
    }

    /// The function `deaf` is like code that computes for long without a look at signals, and hears
    /// of them at its end.
    @Test
    void whatIsLeftUndoneIsSaidWhileCodeRunsThatNoSignalReaches() throws Exception {
        assertThat(lines(3, """
                import signal
                def deaf():
                    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
                    time.sleep(4)
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
                    return [2] * 10
                study = Study(10)
                study.variant('first', lambda: [1] * 10)
                study.variant('deaf', deaf, share=1)
                """)).containsOnlyOnce("N of 3 s used; left undone: deaf").last().isEqualTo("stopped: too slow | deaf");
    }
}
