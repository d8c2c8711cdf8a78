package io.mlestar.show.view;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.show.render.Axis;
import io.mlestar.show.render.CurveComparison.Best;
import io.mlestar.show.render.CurveComparison.BestLine;
import io.mlestar.show.render.CurveComparison;
import io.mlestar.show.view.ComparedRun.NewBest;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Several runs side by side.
///
/// @param runs as asked for
/// @param differences settings that are not the same in all of them
@RegisterForReflection
public record Comparison(List<ComparedRun> runs, List<Difference> differences) {
    public static final int MOST = 6;

    /// A setting.
    ///
    /// @param values in the order of the runs
    public record Difference(String setting, List<String> values) {}

    /// Drops repeated runs.
    ///
    /// @throws Invalid if there are too few or too many
    public static List<String> checked(List<String> runs) {
        List<String> different = runs.stream().distinct().toList();
        if (different.size() < 2 || different.size() > MOST) {
            throw new Invalid(
                    "2 to " + MOST + " different runs can be compared, but " + different.size()
                            + (different.size() == 1 ? " is" : " are") + " named");
        }
        return different;
    }

    public static Comparison of(Records records, List<RunHeader> runs, Instant now) {
        List<ComparedRun> compared =
                runs.stream().map(run -> ComparedRun.of(records, run, now)).toList();
        Stream<String> names =
                compared.stream().flatMap(run -> run.settings().keySet().stream()).distinct();
        return new Comparison(compared,
                names.map(name -> new Difference(name,
                        compared.stream()
                                .map(run -> run.settings().getOrDefault(name, "–"))
                                .toList()))
                        .filter(one -> one.values().stream().distinct().count() > 1)
                        .toList());
    }

    /// The letter of a run in the charts.
    public String letter(int run) {
        return String.valueOf((char) ('A' + run));
    }

    /// True if the scores of all runs mean the same; others are not drawn.
    public boolean isOneMetric() {
        return runs.stream().allMatch(this::isComparable);
    }

    private boolean isComparable(ComparedRun run) {
        return run.metric().equals(runs.getFirst().metric())
                && run.direction() == runs.getFirst().direction();
    }

    /// Best score over time, as SVG.
    public String overTime() {
        return chart("over-time", "Best score over time", NewBest::seconds, ComparedRun::seconds,
                Axis::time);
    }

    /// Best score over cost, as SVG.
    public String overCost() {
        return chart("over-cost", "Best score over cost", NewBest::costUsd,
                run -> run.figures().knownCostUsd(), end -> Axis.money());
    }

    /// Two tables for a terminal: the figures, and the settings that differ.
    public String text() {
        List<List<String>> rows =
                new ArrayList<>(List.of(List.of("", "RUN", "STATE", "SCORE", "VS BEST MODEL",
                        "COST", "ELAPSED", "CALLS", "SCRIPTS", "METRIC")));
        for (int i = 0; i < runs.size(); i++) {
            ComparedRun run = runs.get(i);
            rows.add(List.of(letter(i), run.figures().runId(), run.figures().stateWords(),
                    run.scoreWords(), run.gainWords(), run.figures().costWords(), run.timeWords(),
                    String.valueOf(run.agentCalls()), String.valueOf(run.scripts()), run.metric()));
        }
        if (differences.isEmpty()) {
            return RunTable.aligned(rows) + "\n\nall were started alike";
        }
        List<List<String>> settings = new ArrayList<>();
        settings.add(
                Stream.concat(Stream.of("SETTING"),
                        IntStream.range(0, runs.size()).mapToObj(this::letter)).toList());
        differences.forEach(one -> settings
                .add(Stream.concat(Stream.of(one.setting()), one.values().stream()).toList()));
        return RunTable.aligned(rows) + "\n\n" + RunTable.aligned(settings);
    }

    private String chart(
            String id,
            String title,
            ToDoubleFunction<NewBest> x,
            ToDoubleFunction<ComparedRun> end,
            DoubleFunction<Axis> axis) {
        List<BestLine> lines = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            ComparedRun run = runs.get(i);
            if (isComparable(run)) {
                List<Best> best = run.best()
                        .stream()
                        .map(one -> new Best(x.applyAsDouble(one), one.score()))
                        .toList();
                lines.add(new BestLine(letter(i), i, best,
                        Math.max(end.applyAsDouble(run), best.isEmpty() ? 0 : best.getLast().x())));
            }
        }
        return CurveComparison.svg(id, title, lines, runs.getFirst().direction(),
                axis.apply(CurveComparison.end(lines)));
    }
}
