package io.mlestar.phase;

import io.mlestar.agent.Merger;
import io.mlestar.step.Brief;
import io.mlestar.step.Phase;
import io.mlestar.step.Revision;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.Steps;
import io.mlestar.task.SolutionPhase;
import io.mlestar.task.SolutionScript;
import org.jspecify.annotations.Nullable;

/// Algorithm 1, lines 9 and 10: merges one candidate into the base and scores the result.
///
/// @param index rank of the reference among the candidates; the best, 0, is the first base
/// @param base without a score where it is being scored at this moment: see `merges_at_once`
/// @param code the merger's, where it was asked before; null if it is asked here
public record Merge(int index, SolutionScript base, SolutionScript reference, @Nullable String code) implements Phase<SolutionScript> {
    /// Asks for its code itself, as in the paper.
    public Merge(int index, SolutionScript base, SolutionScript reference) {
        this(index, base, reference, null);
    }

    @Override
    public SolutionScript run(Steps steps) {
        String merged = code != null ? code : steps.call(new Merger(base.content(), reference.content())).code();
        return steps.call(new Evaluation(SolutionScript.unscored(merged, SolutionPhase.MERGED), Kind.SOLUTION)).script();
    }

    @Override
    public String name() {
        return "merge" + index;
    }

    @Override
    public Class<SolutionScript> resultType() {
        return SolutionScript.class;
    }

    /// No more than there can be.
    @Override
    public int sideBySide(Brief brief) {
        return Math.clamp(brief.config().mergesAtOnce(), 1, Math.max(1, brief.config().numRetrievedModels() - 1));
    }

    @Override
    public String title() {
        return "Merge " + index;
    }

    @Override
    public boolean isScored() {
        return true;
    }

    @Override
    public SolutionScript solution(SolutionScript result) {
        return result;
    }

    @Override
    public Revision revision(SolutionScript result) {
        return new Revision(base.content(), result.content());
    }
}
