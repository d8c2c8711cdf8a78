package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.Records;
import io.mlestar.engine.StepResult;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.Results.RefinementAttempt;
import io.mlestar.task.Results.StepRecord;
import io.mlestar.view.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The way of a run from single models to the final script: what each part gained, and what it cost.
///
/// @param candidates one per retrieved model
/// @param merges of candidates, in their order
/// @param checked s_0 after the data and leakage agents; null if they changed nothing, or their version did not run
/// @param blocks refined, by path and outer step
/// @param rounds of the ensemble
record Ladder(List<Rung> candidates, List<Rung> merges, Rung checked, List<Block> blocks, List<Rung> rounds) {
    private static final int PLAN = 600;
    private static final Pattern BLOCK = Pattern.compile("phase2-path(\\d+)/block(\\d+)(?:/attempt(\\d+))?");
    private static final Pattern ROUND = Pattern.compile("phase3/round(\\d+)");

    /// Something that was tried.
    ///
    /// @param step its path, with the run
    /// @param plan of a planner, or a model's name; clipped
    /// @param score null if it failed
    /// @param cost null if a price is unknown
    record Rung(String step, int number, String plan, Double score, Double cost, double seconds) {}

    /// An outer step of Algorithm 2.
    ///
    /// @param before best score of the path before it
    /// @param after best score of the path after it; null if the step failed
    /// @param attempts in their order
    /// @param winner number of the attempt that is kept; -1 if none is
    record Block(int path, Rung whole, double before, Double after, List<Rung> attempts, int winner, boolean skipped) {
        double gain(MetricDirection direction) {
            return after == null ? 0 : direction == MetricDirection.MAXIMIZE ? after - before : before - after;
        }
    }

    /// The best single model as it came: what the run has to beat.
    Optional<Rung> baseline(MetricDirection direction) {
        return candidates.stream().filter(rung -> rung.score() != null)
                .reduce((best, next) -> direction.isImprovement(next.score(), best.score()) ? next : best);
    }

    /// Takes in the steps of a run, phases before what is in them.
    static final class Collector {
        private final List<Rung> candidates = new ArrayList<>();
        private final List<Rung> merges = new ArrayList<>();
        private final List<Block> blocks = new ArrayList<>();
        private final List<Rung> attempts = new ArrayList<>();
        private final List<Rung> rounds = new ArrayList<>();
        private Rung checked;

        void add(Records.Known step) {
            if (!step.request().isPhase() || step.result().isEmpty()) {
                return;
            }
            String path = step.path().inside();
            JsonNode known = step.result().map(StepResult::value).orElse(Json.object());
            Matcher block = BLOCK.matcher(path);
            if (path.startsWith("phase1/candidate") && isChild(path)) {
                candidates.add(rung(step, number(path), step.request().input().at("/model/model_name").asText(), known.path("score")));
            } else if (path.startsWith("phase1/merge") && isChild(path)) {
                merges.add(rung(step, number(path), "", known.path("score")));
            } else if (path.equals("phase1/evaluation") && known.at("/script/score").isNumber()) {
                checked = rung(step, 0, "", known.at("/script/score"));
            } else if (block.matches() && block.group(3) != null) {
                attempts.add(rung(step, Integer.parseInt(block.group(3)), known.at("/record/plan").asText(), known.at("/record/score")));
            } else if (block.matches()) {
                blocks.add(block(step, Integer.parseInt(block.group(1)), Integer.parseInt(block.group(2)), known.path("record")));
            } else if (ROUND.matcher(path).matches()) {
                rounds.add(rung(step, number(path), known.path("plan").asText(), known.path("score")));
            }
        }

        private static Block block(Records.Known step, int path, int t, JsonNode record) {
            double before = step.request().input().path("best").asDouble();
            if (record.isMissingNode()) {
                return new Block(path, rung(step, t, "", record), before, null, List.of(), -1, false);
            }
            StepRecord stepped = Json.read(record, StepRecord.class);
            int winner = -1;
            for (int k = 0; k < stepped.innerLoopAttempts().size(); k++) {
                RefinementAttempt attempt = stepped.innerLoopAttempts().get(k);
                winner = attempt.wasImprovement() ? k : winner;
            }
            String plan = winner < 0 ? stepped.plan() : stepped.innerLoopAttempts().get(winner).plan();
            return new Block(path, rung(step, t, plan, record.path("best_score_after_step")), before, stepped.bestScoreAfterStep(), List.of(),
                    winner, stepped.wasSkipped());
        }

        private static Rung rung(Records.Known step, int number, String plan, JsonNode score) {
            var result = step.result().orElseThrow();
            return new Rung(step.path().toString(), number, Words.line(plan, PLAN), score.isNumber() ? score.asDouble() : null, result.costUsd(),
                    Duration.between(step.request().askedAt(), result.endedAt()).toMillis() / 1000.0);
        }

        private static boolean isChild(String path) {
            return path.indexOf('/') == path.lastIndexOf('/');
        }

        private static int number(String path) {
            return Integer.parseInt(path.replaceFirst("^.*\\D", ""));
        }

        Ladder ladder() {
            Map<String, List<Rung>> byBlock = sorted(attempts).stream()
                    .collect(Collectors.groupingBy(rung -> rung.step().substring(0, rung.step().lastIndexOf('/'))));
            List<Block> whole = blocks.stream().map(block -> new Block(block.path(), block.whole(), block.before(), block.after(),
                            byBlock.getOrDefault(block.whole().step(), List.of()), block.winner(), block.skipped()))
                    .sorted(Comparator.comparingInt(Block::path).thenComparing(block -> block.whole().number())).toList();
            return new Ladder(sorted(candidates), sorted(merges), checked, whole, sorted(rounds));
        }

        private static List<Rung> sorted(List<Rung> rungs) {
            return rungs.stream().sorted(Comparator.comparingInt(Rung::number)).toList();
        }
    }
}
