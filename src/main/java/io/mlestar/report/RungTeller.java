package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.Records;
import io.mlestar.engine.StepResult;
import io.mlestar.report.Story.Rung;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.view.Words;
import io.quarkus.qute.RawString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Puts the ladder into words: its rungs, the blocks in detail, the rounds of the ensemble.
final class RungTeller {
    private static final int MOST_RUNGS = 60;
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
    private final Ladder ladder;

    RungTeller(Records records, MetricDirection direction, Ladder ladder) {
        this.records = records;
        this.direction = direction;
        this.ladder = ladder;
    }

    /// Score of s_0; null before there is one.
    Double initial() {
        if (ladder.checked() != null) {
            return ladder.checked().score();
        }
        Double best = ladder.baseline(direction).map(Ladder.Rung::score).orElse(null);
        for (Ladder.Rung merge : ladder.merges()) {
            best = merge.score() != null && best != null && direction.isImprovementOrEqual(merge.score(), best) ? merge.score() : best;
        }
        return best;
    }

    /// Best score of all paths of Phase 2; null if no block was refined.
    Double refined() {
        return ladder.blocks().stream().map(Ladder.Block::after).filter(Objects::nonNull)
                .reduce((a, b) -> direction.isImprovement(b, a) ? b : a).orElse(null);
    }

    /// Something that was tried, and what it has to be compared with.
    ///
    /// @param before null where there is nothing to compare with
    private record Tried(String what, Ladder.Rung rung, Double before, boolean kept) {
        double gain(MetricDirection direction) {
            return before == null || rung.score() == null ? 0
                    : direction == MetricDirection.MAXIMIZE ? rung.score() - before : before - rung.score();
        }
    }

    List<Rung> ladder() {
        List<Tried> rungs = new ArrayList<>();
        Double best = null;
        for (Ladder.Rung candidate : ladder.candidates()) {
            boolean kept = ladder.baseline(direction).filter(candidate::equals).isPresent();
            rungs.add(new Tried("Model " + (candidate.number() + 1), candidate, null, kept));
            best = kept ? candidate.score() : best;
        }
        for (Ladder.Rung merge : ladder.merges()) {
            boolean kept = merge.score() != null && best != null && direction.isImprovementOrEqual(merge.score(), best);
            rungs.add(new Tried("Merge " + merge.number(), merge, best, kept));
            best = kept ? merge.score() : best;
        }
        if (ladder.checked() != null) {
            rungs.add(new Tried("Data and leakage checks", ladder.checked(), best, true));
        }
        Set<Ladder.Block> shown = shownRungs();
        ladder.blocks().stream().filter(shown::contains).forEach(block -> rungs.add(
                new Tried("Path " + block.path() + ", block " + block.whole().number(), block.whole(), block.before(), block.gain(direction) > 0)));
        bestRound().ifPresent(round -> rungs.add(new Tried("Ensemble, round " + round.number(), round, refined(), true)));
        return told(rungs, SHORT_PLAN);
    }

    private Set<Ladder.Block> shownRungs() {
        return ladder.blocks().stream().sorted(Comparator.comparingDouble((Ladder.Block block) -> -block.gain(direction)))
                .limit(MOST_RUNGS).collect(Collectors.toSet());
    }

    /// What the blocks cost that the ladder does not show.
    String rest() {
        Set<Ladder.Block> shown = shownRungs();
        List<Ladder.Rung> left = ladder.blocks().stream().filter(block -> !shown.contains(block)).map(Ladder.Block::whole).toList();
        if (left.isEmpty()) {
            return "";
        }
        Double cost = left.stream().map(Ladder.Rung::cost).reduce(0.0, (a, b) -> a == null || b == null ? null : a + b);
        return left.size() + " further blocks gained less: " + Words.dollars(cost) + ", "
                + Words.duration(left.stream().mapToDouble(Ladder.Rung::seconds).sum());
    }

    private Optional<Ladder.Rung> bestRound() {
        return ladder.rounds().stream().filter(round -> round.score() != null)
                .reduce((a, b) -> direction.isImprovementOrEqual(b.score(), a.score()) ? b : a);
    }

    List<Rung> rounds() {
        return told(ladder.rounds().stream().limit(MOST_ATTEMPTS).map(round ->
                new Tried("Round " + round.number(), round, refined(), bestRound().filter(round::equals).isPresent())).toList(), WHOLE_PLAN);
    }

    /// The bars of one table have one scale.
    private List<Rung> told(List<Tried> tried, int plan) {
        double most = tried.stream().mapToDouble(one -> Math.abs(one.gain(direction))).max().orElse(0);
        return tried.stream().map(one -> new Rung(one.what(), Words.clip(one.rung().plan(), plan),
                one.rung().score() == null ? "failed" : Words.score(one.rung().score()),
                one.before() == null || one.rung().score() == null ? "" : Words.gain(one.rung().score() - one.before()),
                bar(one.gain(direction), most), Words.dollars(one.rung().cost()), Words.duration(one.rung().seconds()), one.kept())).toList();
    }

    private static RawString bar(double gain, double most) {
        double width = most == 0 ? 0 : Math.abs(gain) / most * 100;
        return width < 0.5 ? NONE : new RawString(String.format(Locale.ROOT,
                "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                        + "<rect class=\"%s\" width=\"%s\" height=\"8\"/></svg>",
                gain < 0 ? "bars-worse" : "bars-better", ScoreCurve.number(width)));
    }

    private List<Ladder.Block> detailed() {
        return ladder.blocks().stream().sorted(Comparator.comparingDouble((Ladder.Block block) -> -block.gain(direction))).limit(MOST_BLOCKS)
                .sorted(Comparator.comparingInt(Ladder.Block::path).thenComparing(block -> block.whole().number())).toList();
    }

    int moreBlocks() {
        return ladder.blocks().size() - detailed().size();
    }

    List<Story.Block> blocks() {
        return detailed().stream().map(this::block).toList();
    }

    private Story.Block block(Ladder.Block block) {
        StepPath path = StepPath.parse(block.whole().step());
        JsonNode record = records.result(path).map(StepResult::value).map(value -> value.path("record")).orElse(Json.object());
        String before = record.path("code_block").asText();
        String won = record.path("inner_loop_attempts").path(block.winner()).path("code_block").asText();
        String firstLine = before.strip().lines().findFirst().orElse(block.skipped() ? "no block was found" : "failed");
        Ablations study = Ablations.read(Words.clip(studied(path), OUTPUT));
        return new Story.Block("Path " + block.path() + ", block " + block.whole().number(), Words.line(firstLine, TITLE), block.whole().plan(),
                block.gain(direction) == 0 ? "no gain" : Words.gain(block.after() - block.before()), Words.dollars(block.whole().cost()),
                Words.duration(block.whole().seconds()), study.variants().isEmpty() ? NONE : new RawString(study.svg(direction)),
                Words.clip(record.path("ablation_summary").asText().strip(), SUMMARY),
                told(block.attempts().stream().limit(MOST_ATTEMPTS).map(attempt ->
                        new Tried("Attempt " + attempt.number(), attempt, block.before(), attempt.number() == block.winner())).toList(), WHOLE_PLAN),
                won.isEmpty() ? List.of() : Diffs.sideBySide(before, won, MOST_DIFF_ROWS));
    }

    /// What the ablation study printed, in the version that ran last.
    private String studied(StepPath block) {
        return records.below(block).stream().filter(step -> step.request().isScript())
                .flatMap(step -> step.result().map(StepResult::value).stream())
                .reduce((first, second) -> second).map(value -> value.at("/evaluation/stdout").asText()).orElse("");
    }
}
