package io.mlestar.show.report;

import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.Svg;
import io.mlestar.show.report.Improvements.Improvement;
import io.mlestar.show.report.Improvements.RefinedBlock;
import io.mlestar.show.report.ReportModel.ImprovementRow;
import io.mlestar.show.view.RunSteps;
import io.mlestar.show.view.StepView;
import io.quarkus.qute.RawString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts the improvements into words: one after the other, the blocks in detail, the rounds of the ensemble.
final class ImprovementRows {
    private static final int MOST_SHOWN = 60;
    private static final int MOST_BLOCKS = 40;
    private static final int MOST_ATTEMPTS = 50;
    private static final int MOST_DIFF_ROWS = 200;
    private static final int TITLE = 70;
    private static final int SHORT_PLAN = 150;
    private static final int WHOLE_PLAN = 600;
    private static final int SUMMARY = 4_000;
    private static final int OUTPUT = 200_000;
    private static final RawString NONE = new RawString("");

    private final Records records;
    private final MetricDirection direction;
    private final Improvements improvements;

    ImprovementRows(Records records, MetricDirection direction, Improvements improvements) {
        this.records = records;
        this.direction = direction;
        this.improvements = improvements;
    }

    /// Score of s_0; null before there is one.
    @Nullable
    Double initial() {
        if (improvements.checked() != null) {
            return improvements.checked().score();
        }
        Double best = improvements.baseline(direction).map(Improvement::score).orElse(null);
        for (Improvement merge : improvements.merges()) {
            best = isBetter(merge, best) ? merge.score() : best;
        }
        return best;
    }

    /// A merge that is no better is the last one.
    private boolean isBetter(Improvement merge, @Nullable Double best) {
        return merge.score() != null && best != null && direction.isImprovementOrEqual(merge.score(), best);
    }

    /// Best score of all paths of Phase 2; null if no block was refined.
    @Nullable
    Double refined() {
        return direction.best(improvements.blocks(), RefinedBlock::after).map(RefinedBlock::after).orElse(null);
    }

    /// Something that was tried, and what it has to be compared with.
    ///
    /// @param before null where there is nothing to compare with
    private record TriedPlan(String what, Improvement improvement, @Nullable Double before, boolean kept) {
        double gain(MetricDirection direction) {
            return before == null || improvement.score() == null ? 0 : direction.gain(improvement.score(), before);
        }
    }

    List<ImprovementRow> rows() {
        List<TriedPlan> tried = new ArrayList<>();
        Double best = null;
        for (Improvement candidate : improvements.candidates()) {
            boolean kept = improvements.baseline(direction).filter(candidate::equals).isPresent();
            tried.add(new TriedPlan(candidate.title(), candidate, null, kept));
            best = kept ? candidate.score() : best;
        }
        for (Improvement merge : improvements.merges()) {
            boolean kept = isBetter(merge, best);
            tried.add(new TriedPlan(merge.title(), merge, best, kept));
            best = kept ? merge.score() : best;
        }
        if (improvements.checked() != null) {
            tried.add(new TriedPlan("Data and leakage checks", improvements.checked(), best, true));
        }
        Set<RefinedBlock> shown = shownBlocks();
        improvements.blocks().stream().filter(shown::contains).forEach(block -> tried.add(
                new TriedPlan(block.title(), block.whole(), block.before(), block.gain(direction) > 0)));
        bestRound().ifPresent(round -> tried.add(new TriedPlan("Ensemble, " + round.title().toLowerCase(Locale.ROOT), round, refined(), true)));
        return told(tried, SHORT_PLAN);
    }

    private Set<RefinedBlock> shownBlocks() {
        return improvements.blocks().stream().sorted(Comparator.comparingDouble((RefinedBlock block) -> -block.gain(direction)))
                .limit(MOST_SHOWN).collect(Collectors.toSet());
    }

    /// What the blocks cost that are not shown among them.
    String rest() {
        Set<RefinedBlock> shown = shownBlocks();
        List<Improvement> left = improvements.blocks().stream().filter(block -> !shown.contains(block)).map(RefinedBlock::whole).toList();
        if (left.isEmpty()) {
            return "";
        }
        Double cost = left.stream().map(Improvement::cost).reduce(0.0, (a, b) -> a == null || b == null ? null : a + b);
        return left.size() + " further blocks gained less: " + Formats.dollars(cost) + ", "
                + Formats.duration(left.stream().mapToDouble(Improvement::seconds).sum());
    }

    private Optional<Improvement> bestRound() {
        return direction.lastBest(improvements.rounds(), Improvement::score);
    }

    List<ImprovementRow> rounds() {
        return told(improvements.rounds().stream().limit(MOST_ATTEMPTS)
                .map(round -> new TriedPlan(round.title(), round, refined(), bestRound().filter(round::equals).isPresent())).toList(), WHOLE_PLAN);
    }

    /// The bars of one table have one scale.
    private List<ImprovementRow> told(List<TriedPlan> tried, int plan) {
        double most = tried.stream().mapToDouble(one -> Math.abs(one.gain(direction))).max().orElse(0);
        return tried.stream().map(one -> new ImprovementRow(one.what(), Formats.clip(one.improvement().plan(), plan),
                one.improvement().score() == null ? "failed" : Formats.score(one.improvement().score()),
                one.before() == null || one.improvement().score() == null ? "" : Formats.gain(one.improvement().score() - one.before()),
                bar(one.gain(direction), most), Formats.dollars(one.improvement().cost()), Formats.duration(one.improvement().seconds()), one.kept())).toList();
    }

    private static RawString bar(double gain, double most) {
        double width = most == 0 ? 0 : Math.abs(gain) / most * 100;
        return width < 0.5 ? NONE : new RawString(String.format(Locale.ROOT,
                "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                        + "<rect class=\"%s\" width=\"%s\" height=\"8\"/></svg>",
                gain < 0 ? "bars-worse" : "bars-better", Svg.number(width)));
    }

    private List<RefinedBlock> detailed() {
        return improvements.blocks().stream().sorted(Comparator.comparingDouble((RefinedBlock block) -> -block.gain(direction))).limit(MOST_BLOCKS)
                .sorted(Comparator.comparingInt(RefinedBlock::path).thenComparingInt(block -> block.whole().number())).toList();
    }

    int moreBlocks() {
        return improvements.blocks().size() - detailed().size();
    }

    List<ReportModel.BlockChapter> blocks() {
        return detailed().stream().map(this::block).toList();
    }

    private ReportModel.BlockChapter block(RefinedBlock block) {
        StepPath path = StepPath.parse(block.whole().step());
        Optional<StepRecord> record = records.known(path).map(StepView::of).flatMap(
                step -> step.found() instanceof StepView.Returned<?>(var phase, OuterStep.Stepped stepped) ? Optional.of(stepped.record()) : Optional.empty());
        String before = record.map(StepRecord::codeBlock).orElse("");
        String won = block.winner() < 0 ? "" : record.map(known -> known.innerLoopAttempts().get(block.winner()).codeBlock()).orElse("");
        String firstLine = before.strip().lines().findFirst().orElse(block.skipped() ? "no block was found" : "failed");
        Ablations study = Ablations.read(Formats.clip(studied(path), OUTPUT));
        return new ReportModel.BlockChapter(path.inside(), block.title(), Formats.line(firstLine, TITLE), block.whole().plan(),
                block.after() == null || block.gain(direction) == 0 ? "no gain" : Formats.gain(block.after() - block.before()),
                Formats.dollars(block.whole().cost()),
                Formats.duration(block.whole().seconds()), study.variants().isEmpty() ? NONE : new RawString(study.svg(direction)),
                Formats.clip(record.map(StepRecord::ablationSummary).orElse("").strip(), SUMMARY),
                told(block.attempts().stream().limit(MOST_ATTEMPTS)
                        .map(attempt -> new TriedPlan(attempt.title(), attempt, block.before(), attempt.number() == block.winner())).toList(), WHOLE_PLAN),
                won.isEmpty() ? List.of() : Diffs.sideBySide(before, won, MOST_DIFF_ROWS));
    }

    /// Where the report shows what came of a step.
    String anchor(StepPath step) {
        String above = step.parent().map(StepPath::inside).orElse("");
        boolean isShown = detailed().stream().anyMatch(block -> StepPath.parse(block.whole().step()).inside().equals(above));
        return isShown ? "#" + above
                : improvements.rounds().stream().limit(MOST_ATTEMPTS).anyMatch(round -> StepPath.parse(round.step()).inside().equals(step.inside())) ? "#rounds"
                : step.isTop() ? "#final-script" : "#improvements";
    }

    /// What the ablation study printed, in the version that ran last.
    private String studied(StepPath block) {
        return new RunSteps(records).scripts(block).stream()
                .reduce((first, second) -> second.found() instanceof StepView.Executed ? second : first)
                .map(step -> step.found() instanceof StepView.Executed(var script, Execution ran) ? ran.evaluation().stdout() : "").orElse("");
    }
}
