package io.mlestar.core.survey;

import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.StrongSearch;
import java.util.ArrayList;
import java.util.List;

/// Looks at the machine and the data before any agent is asked, with two or three scripts side by side where all scripts run. It never fails: it
/// ends with what they found.
public record Survey() implements Phase<Facts> {
    public static final String NAME = "survey";
    private static final int LONGEST_SECONDS = 60;
    private static final int PART_OF_LIMIT = 10;
    private static final double TIME_SHARE = 0.05;

    @Override
    public Facts run(Steps steps) {
        int seconds = Math.clamp(steps.context().config().limits().timeLimitSeconds() / PART_OF_LIMIT, 1, LONGEST_SECONDS);
        List<RunScript> scripts = new ArrayList<>(List.of(new RunScript(SurveyScripts.MACHINE, Kind.MACHINE, seconds)));
        if (steps.context().config().dataCard()) {
            scripts.add(new RunScript(SurveyScripts.dataCard(seconds), Kind.DATA_CARD, seconds));
        }
        boolean hides = steps.context().config().search() instanceof StrongSearch;
        if (hides) {
            int folds = steps.context().config().search().mostFolds();
            String hiding = SurveyScripts.holdout(seconds, folds, steps.context().task().description());
            scripts.add(new RunScript(hiding, Kind.HOLDOUT, seconds));
        }
        List<Outcome<Execution>> looked = steps.callAll(scripts);
        DataCard card = steps.context().config().dataCard() ? card(looked.get(1)) : DataCard.NONE;
        HoldoutReading holdout = hides ? HoldoutReading.of(looked.getLast(), printed(looked.getLast())) : HoldoutReading.NONE;
        return new Facts(MachineReading.read(printed(looked.getFirst())), card, holdout.holdout(), holdout.missing(),
                steps.context().config().dataCard() ? DataReading.tables(printed(looked.get(1))) : null);
    }

    /// How the scores of a run would be computed, by what the program printed that hides rows.
    public static Facts planned(String printed) {
        HoldoutReading holdout = HoldoutReading.read(printed, "planned", "the program that hides them printed nothing that can be read");
        return new Facts(MachineFacts.UNKNOWN, DataCard.NONE, holdout.holdout(), holdout.missing());
    }

    /// Nothing, if it did not end.
    private static String printed(Outcome<Execution> looked) {
        return looked instanceof Outcome.Done<Execution>(var ran) ? ran.evaluation().stdout() : "";
    }

    /// Its output counts, however it ended. The reason for no output holds none of its words, which may quote the data.
    private static DataCard card(Outcome<Execution> looked) {
        DataCard card = DataReading.read(printed(looked));
        return card.isKnown() ? card : new DataCard(List.of(), why(looked));
    }

    /// Why nothing of a script's output counts.
    static String why(Outcome<Execution> looked) {
        return switch (looked) {
            case Outcome.Failed<Execution> _,Outcome.Stopped<Execution> _ -> "could not be run";
            case Outcome.Done<Execution>(Execution.TimedOut _) -> "did not end in time";
            case Outcome.Done<Execution>(Execution.Killed _) -> "was killed, perhaps for lack of memory";
            case Outcome.Done<Execution>(Execution.Crashed _) -> "failed";
            case Outcome.Done<Execution>(Execution.Ended _),Outcome.Done<Execution>(Execution.Doubtful _) -> "printed nothing that can be read";
        };
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Survey";
    }

    /// A cluster may have no node for it, and the run must not wait until its time is over.
    @Override
    public Scheduling scheduling(RunContext context) {
        return Scheduling.share(TIME_SHARE, null);
    }

    /// Shown as part of Phase 1.
    @Override
    public String part() {
        return "phase1";
    }

    @Override
    public boolean isReusable() {
        return false;
    }

    @Override
    public PhaseReport report(Facts facts) {
        return PhaseReport.NONE.saying(String.join("; ", facts.warnings()));
    }
}
