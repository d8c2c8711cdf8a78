package io.mlestar.show.report;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.Svg;
import io.mlestar.show.report.ReportModel.ImprovementRow;
import io.mlestar.show.view.CandidateSolution;
import io.mlestar.show.view.CandidateSolution.Part;
import io.mlestar.show.view.SolutionAncestry;
import io.mlestar.show.view.StepState;
import io.mlestar.show.view.StepView;
import io.quarkus.qute.RawString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The way of a run from single models to the final script, in words: what each part gained and
/// cost, the blocks in detail, the rounds of the ensemble.
record ImprovementRows(Records records, SolutionAncestry ancestry) {
    private static final int MOST_SHOWN = 60;
    private static final int MOST_BLOCKS = 40;
    private static final int MOST_ATTEMPTS = 50;
    private static final int MOST_DIFF_ROWS = 200;
    private static final int TITLE = 70;
    private static final int SHORT_PLAN = 150;
    private static final int WHOLE_PLAN = 600;
    private static final int SUMMARY = 4_000;
    private static final RawString NONE = new RawString("");

    private MetricDirection direction() {
        return ancestry.direction();
    }

    /// The solutions of a part that have ended.
    private List<CandidateSolution> of(Part part) {
        return ancestry.of(part).stream().filter(one -> one.state() != StepState.RUNNING).toList();
    }

    /// Something that was tried.
    private record TriedSolution(String what, CandidateSolution solution, boolean kept) {}

    private TriedSolution tried(String what, CandidateSolution one) {
        return new TriedSolution(what, one, ancestry.isKept(one));
    }

    private double gain(CandidateSolution one) {
        Score.Lead lead = one.lead(direction());
        return lead == null ? 0 : lead.gain();
    }

    List<ImprovementRow> rows() {
        List<TriedSolution> tried = new ArrayList<>();
        of(Part.CANDIDATE).forEach(one -> tried.add(tried(one.title(), one)));
        of(Part.MERGE).forEach(one -> tried.add(tried(one.title(), one)));
        of(Part.CHECKED).forEach(one -> tried.add(tried("Data and leakage checks", one)));
        Set<CandidateSolution> shown = shownBlocks();
        of(Part.BLOCK).stream()
                .filter(shown::contains)
                .forEach(one -> tried.add(tried(title(one), one)));
        of(Part.TURN).stream()
                .sorted(Comparator.comparingDouble(turn -> -gain(turn)))
                .limit(MOST_SHOWN)
                .forEach(one -> tried.add(tried(one.title(), one)));
        ancestry.ensemble()
                .ifPresent(round -> tried
                        .add(tried("Ensemble, " + round.title().toLowerCase(Locale.ROOT), round)));
        return rows(tried, SHORT_PLAN);
    }

    private static String title(CandidateSolution block) {
        return "Path " + block.path() + ", " + block.title().toLowerCase(Locale.ROOT);
    }

    private List<CandidateSolution> byGain(int most) {
        return of(Part.BLOCK).stream()
                .sorted(Comparator.comparingDouble(block -> -gain(block)))
                .limit(most)
                .toList();
    }

    private Set<CandidateSolution> shownBlocks() {
        return Set.copyOf(byGain(MOST_SHOWN));
    }

    /// The cost of the blocks that are not shown; empty if all are.
    String rest() {
        Set<CandidateSolution> shown = shownBlocks();
        List<CandidateSolution> left =
                of(Part.BLOCK).stream().filter(block -> !shown.contains(block)).toList();
        if (left.isEmpty()) {
            return "";
        }
        Double cost = left.stream()
                .map(CandidateSolution::costUsd)
                .reduce(0.0,
                        (a, b) -> a == null || b == null ? null : a + b);
        return left.size() + " further blocks gained less: " + Formats.dollars(cost) + ", "
                + Formats.duration(left.stream().mapToDouble(CandidateSolution::seconds).sum());
    }

    List<ImprovementRow> rounds() {
        return rows(of(Part.ROUND).stream()
                .limit(MOST_ATTEMPTS)
                .map(round -> tried(round.title(), round))
                .toList(), WHOLE_PLAN);
    }

    /// The bars of one table have one scale.
    private List<ImprovementRow> rows(List<TriedSolution> tried, int plan) {
        double most =
                tried.stream().mapToDouble(one -> Math.abs(gain(one.solution()))).max().orElse(0);
        return tried.stream().map(one -> {
            Score score = one.solution().score();
            return new ImprovementRow(one.what(), Excerpt.clip(one.solution().plan(), plan),
                    score.isKnown() ? Formats.score(score) : unscored(score),
                    Formats.gain(one.solution().lead(direction())), bar(gain(one.solution()), most),
                    Formats.dollars(one.solution().costUsd()),
                    Formats.duration(one.solution().seconds()), one.kept());
        }).toList();
    }

    private static String unscored(Score score) {
        return score.isLost() ? "stopped after the first fold" : "no score";
    }

    private static RawString bar(double gain, double most) {
        double width = most == 0 ? 0 : Math.abs(gain) / most * 100;
        return width < 0.5
                ? NONE
                : new RawString(String.format(Locale.ROOT,
                        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                                + "<rect class=\"%s\" width=\"%s\" height=\"8\"/></svg>",
                        gain < 0 ? "bar-worse" : "bar-better", Svg.number(width)));
    }

    private List<CandidateSolution> detailed() {
        return byGain(MOST_BLOCKS).stream()
                .sorted(Comparator.comparingInt(CandidateSolution::path)
                        .thenComparingInt(CandidateSolution::number))
                .toList();
    }

    int moreBlocks() {
        return of(Part.BLOCK).size() - detailed().size();
    }

    List<ReportModel.BlockChapter> blocks() {
        return detailed().stream().map(this::block).toList();
    }

    private static Optional<OuterStep.Result> result(KnownStep known) {
        StepView.Found found = StepView.of(known).found();
        if (found instanceof StepView.Returned<?>(var phase, OuterStep.Result result)) {
            return Optional.of(result);
        }
        return Optional.empty();
    }

    private ReportModel.BlockChapter block(CandidateSolution block) {
        Optional<OuterStep.Result> result =
                records.known(block.step()).flatMap(ImprovementRows::result);
        int winner = result.map(OuterStep.Result::winner).orElse(-1);
        Optional<StepRecord> record = result.map(OuterStep.Result::record);
        String before = record.map(StepRecord::codeBlock).orElse("");
        String won =
                winner < 0 ? "" : record.orElseThrow().innerLoopAttempts().get(winner).codeBlock();
        String firstLine =
                before.strip()
                        .lines()
                        .findFirst()
                        .orElse(record.isPresent() ? "no block was found" : "failed");
        List<TriedSolution> attempts = of(Part.ATTEMPT).stream()
                .filter(attempt -> attempt.path() == block.path()
                        && attempt.block() == block.block())
                .limit(MOST_ATTEMPTS)
                .map(one -> new TriedSolution(one.title(), one, one.number() == winner))
                .toList();
        return new ReportModel.BlockChapter(block.id(), title(block),
                Formats.line(firstLine, TITLE), block.plan(),
                gain(block) == 0 ? "no gain" : Formats.gain(block.lead(direction())),
                Formats.dollars(block.costUsd()), Formats.duration(block.seconds()),
                Excerpt.clip(record.map(StepRecord::ablationSummary).orElse("").strip(), SUMMARY),
                rows(attempts, WHOLE_PLAN),
                won.isEmpty() ? List.of() : Diffs.sideBySide(before, won, MOST_DIFF_ROWS));
    }

    /// The place in the report that shows the result of a step.
    String anchor(StepPath step) {
        String above = step.parent().map(StepPath::inside).orElse("");
        if (detailed().stream().anyMatch(block -> block.id().equals(above))) {
            return "#" + above;
        }
        if (of(Part.ROUND).stream()
                .limit(MOST_ATTEMPTS)
                .anyMatch(round -> round.id().equals(step.inside()))) {
            return "#rounds";
        }
        return step.isTop() ? "#final-script" : "#improvements";
    }
}
