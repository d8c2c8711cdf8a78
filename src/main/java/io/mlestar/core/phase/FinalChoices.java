package io.mlestar.core.phase;

import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.FinalChoice;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which script becomes the final solution ([FinalChoice]).
///
/// @param refined best script of each path
/// @param library all that scored, where it was kept for a blend: scripts rejected as noise may still win on the select rows
/// @param phase3 null if it was skipped or failed
record FinalChoices(SolutionScript s0, List<SolutionScript> refined, List<SolutionScript> library, @Nullable Phase3Result phase3, RunContext context) {
    private static final int MOST_VERIFIED = 4;

    /// The best path's script.
    SolutionScript single() {
        return Acceptance.of(context).best(refined).orElse(s0);
    }

    /// The script that is finalized.
    SolutionScript chosen() {
        SolutionScript ensemble = phase3 == null ? single() : phase3.bestEnsemble();
        return switch (context.config().loop().finalSolution()) {
            case ENSEMBLE -> ensemble;
            case BEST -> best(ensemble);
            case VERIFIED -> verified().orElseGet(() -> best(ensemble));
        };
    }

    private SolutionScript best(SolutionScript ensemble) {
        Acceptance acceptance = Acceptance.of(context);
        return acceptance.best(trusted(List.of(single(), ensemble))).or(() -> acceptance.best(trusted(all()))).orElse(single());
    }

    /// Scripts that are not chosen, since *select* refutes their scores.
    List<SolutionScript> overstated() {
        return Overstatement.among(all(), context.task().metricDirection());
    }

    /// All that may be chosen, the simplest first.
    private List<SolutionScript> all() {
        return GreedyEnsemble.blendable(Stream.of(Stream.of(s0), refined.stream(), library.stream(), ensembles().stream())
                .flatMap(scripts -> scripts).toList());
    }

    private List<SolutionScript> trusted(List<SolutionScript> scripts) {
        List<SolutionScript> trusted = new ArrayList<>(scripts);
        trusted.removeAll(overstated());
        return trusted;
    }

    private List<SolutionScript> ensembles() {
        return phase3 == null ? List.of() : phase3.attempts().stream().map(EnsembleAttempt::solution).toList();
    }

    /// Of s_0, the best by the search, and all ensembles, the best by all hidden rows together: those that had no part in the search say most against luck, and
    /// of scripts that all led there, what the search knows still counts. The higher score wins, however small the lead; of equals the simpler one.
    private Optional<SolutionScript> verified() {
        List<SolutionScript> ensembles = ensembles();
        List<SolutionScript> simplestFirst = trusted(all());
        List<SolutionScript> found = Acceptance.of(context).ranked(simplestFirst).stream().limit(MOST_VERIFIED).toList();
        return simplestFirst.stream().filter(script -> script.equals(s0) || found.contains(script) || ensembles.contains(script))
                .min(Comparator.comparing(this::together, context.task().metricDirection().bestFirst()));
    }

    /// The score on all hidden rows, of which each part counts by its rows.
    private double together(SolutionScript script) {
        Holdout holdout = Objects.requireNonNull(context.facts().holdout());
        double rows = (double) holdout.searchRows() + holdout.selectRows();
        return script.knownValidation().search() * (holdout.searchRows() / rows) + script.knownValidation().select() * (holdout.selectRows() / rows);
    }

    /// From the best model as it came to the script that was chosen in the end; what brought no change is left out.
    List<Gain> gains(Phase1Result phase1, SolutionScript chosen) {
        MetricDirection direction = context.task().metricDirection();
        List<Gain> gains = new ArrayList<>();
        SolutionScript before = null;
        for (SolutionScript script : Stream.of(phase1.ranked().getFirst(), s0, single(), chosen).toList()) {
            if (script.score() != null && (before == null || !before.content().equals(script.content()))) {
                boolean isPaired = before != null && before.validation() != null && script.validation() != null;
                gains.add(new Gain(script.step(), script.score(), script.validation() == null ? null : script.validation().searchError(),
                        before == null ? null : isPaired ? script.knownValidation().gain(before.knownValidation(), direction)
                                : direction.gain(script.score(), before.knownScore()),
                        isPaired ? script.knownValidation().errorOfGain(Objects.requireNonNull(before).knownValidation()) : null));
                before = script;
            }
        }
        return gains;
    }
}
