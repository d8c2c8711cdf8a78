package io.mlestar.phase;

import io.mlestar.agent.MachineReading;
import io.mlestar.agent.SurveyScripts;
import io.mlestar.step.Execution;
import io.mlestar.step.Facts;
import io.mlestar.step.Outcome;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.Steps;
import java.util.List;

/// Looks at the world before any agent is asked: programs of ours run where all scripts run, side by side. Whatever becomes of them, it
/// ends with what they found.
public record Survey() implements Phase<Facts> {
    public static final String NAME = "survey";
    private static final int LONGEST_SECONDS = 60;
    private static final int PART_OF_LIMIT = 10;

    @Override
    public Facts run(Steps steps) {
        int seconds = Math.clamp(steps.brief().config().timeLimitSeconds() / PART_OF_LIMIT, 1, LONGEST_SECONDS);
        List<Outcome<Execution>> looked = steps.callAll(List.of(new RunScript(SurveyScripts.MACHINE, Kind.MACHINE, seconds)));
        return new Facts(MachineReading.read(printed(looked.getFirst())));
    }

    private static String printed(Outcome<Execution> look) {
        return look instanceof Outcome.Done<Execution>(var ran) ? ran.evaluation().stdout() : "";
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<Facts> resultType() {
        return Facts.class;
    }

    @Override
    public String title() {
        return "Survey";
    }

    /// Those who look from afar know no part before the first.
    @Override
    public String part() {
        return new InitialSolution().part();
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public String summary(Facts facts) {
        return String.join("; ", facts.warnings());
    }
}
