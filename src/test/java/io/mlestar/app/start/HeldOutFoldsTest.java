package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.engine.World;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
/// Scripts and studies on several folds, with the real programs and sandboxes.
class HeldOutFoldsTest extends HeldOutDays {
    /// A script that learns how much y lies above x: each fold's run from the other rows, and none
    /// of them from a row that it is scored by.
    @Test
    void eachFoldIsPredictedByARunThatDidNotSeeIt() throws IOException {
        hide(3);
        assertThat(context.facts().holdout().foldRows()).hasSize(3);
        String learns = """
                import csv
                train = {row['id'] for row in csv.DictReader(open('input/train.csv'))}
                rows = list(csv.DictReader(open('input/test.csv')))
                with open('final/submission.csv', 'w') as out:
                    out.write('id,y\\n')
                    for row in rows:
                        out.write('%s,%f\\n' % (row['id'], float(row['x']) + (1 if row['id'] not in train else 1000)))
                print('of', len(train))
                """;

        List<Execution.Scored> ran = IntStream.range(0, 3)
                .mapToObj(fold -> (Execution.Scored) run(strongest(),
                        new RunScript(learns, Kind.SOLUTION, 60, context.hiddenRows(), fold, null)))
                .toList();
        CombinedFolds combined = job(strongest()).harness(STEP, context).compute(
                new CombineFolds(ran.stream().map(one -> one.evaluation().score().validation().predictions()).toList(),
                        context.hiddenRows()));

        int hidden = context.facts().holdout().foldRows().stream().mapToInt(rows -> rows).sum()
                + context.facts().holdout().selectRows();
        assertThat(combined.validation().search()).isCloseTo(0, within(1e-9));
        assertThat(text(combined.validation().predictions()).lines().count()).as("each row once, and a header")
                .isEqualTo(TEST + hidden + 1);
        assertThat(text(combined.submission().key()).lines().skip(1).map(line -> line.split(",")))
                .as("the task's own ids").hasSize(TEST)
                .allSatisfy(row -> assertThat(Double.parseDouble(row[1]))
                        .isCloseTo(Integer.parseInt(row[0]) - 5000 + 1.5, within(1e-6)));
        assertThat(ran.getFirst().submission()).isNotNull();
        assertThat(ran.getLast().submission()).as("that of all folds is their mean").isNull();
        List<Path> shown = IntStream.range(0, 2)
                .mapToObj(fold -> job(strongest()).shown(STEP, context, Holdout.view(fold))).toList();
        assertThat(
                Files.isSameFile(shown.getFirst().resolve("more/notes.txt"), shown.getLast().resolve("more/notes.txt")))
                .as("no second copy").isTrue();
        assertThat(shown.getFirst().resolve("train.csv")).content()
                .isNotEqualTo(Files.readString(shown.getLast().resolve("train.csv")));
    }

    @Test
    void aStudyLearnsFromAllRowsButThoseForTheFinalChoiceAndKnowsTheirFolds() throws IOException {
        Files.writeString(data.resolve(Holdout.STUDY_FOLDS), "the task's own");
        hide(3);
        context = new RunContext(context.task(), World.header("r", "{\"search\": \"strong\"}").config(), "no GPU",
                context.facts());
        String counts =
                """
                        import csv
                        folds = [row.get('fold') for row in csv.DictReader(open('input/study_folds.csv'))]
                        print(len(list(csv.DictReader(open('input/train.csv')))), len(folds), [folds.count(str(fold)) for fold in range(3)])
                        """;

        Execution studied = run(strongest(), new RunScript(counts, Kind.STUDY, 60, context.hiddenRows(), 0, null));
        Execution solved = run(strongest(), new RunScript(counts, Kind.SOLUTION, 60, context.hiddenRows(), 0, null));

        assertThat(studied.evaluation().stdout()).contains("900 900 " + context.facts().holdout().foldRows());
        assertThat(solved.evaluation().stdout())
                .contains(900 - context.facts().holdout().foldRows().getFirst() + " 0 [0, 0, 0]");
        assertThat(job(strongest()).toLookAt(STEP, context).resolve("train.csv")).as("a look").content().satisfies(
                train -> assertThat(train.lines().count()).isEqualTo(1 + 900));
        assertThat(data.resolve(Holdout.STUDY_FOLDS)).content().isEqualTo("the task's own");
    }
}
