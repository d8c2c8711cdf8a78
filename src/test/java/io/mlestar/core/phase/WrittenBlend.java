package io.mlestar.core.phase;

import io.mlestar.core.step.Blend;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;

/// The script of a blend, for tests of other rooms.
public final class WrittenBlend {
    private WrittenBlend() {}

    /// The mean of what programs predict.
    public static String of(String... members) {
        List<SolutionScript> scripts = Stream.of(members)
                .map(member -> SolutionScript.unscored(member, SolutionPhase.INIT).by("phase1/candidate0")).toList();
        return BlendScript.of(new Blend(Blend.How.MEAN, Collections.nCopies(members.length, 1), TableFormat.USUAL),
                scripts, 0.75);
    }
}
