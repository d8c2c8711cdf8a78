package io.mlestar.core.engine;

import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Answer.DataLook;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The output of a script by which an agent looked at the data: a fact for the agents that are
/// asked later.
///
/// @param text indented but for its first line
record DataFinding(StepPath step, Instant endedAt, String text) {
    private static final Set<AgentType> READERS =
            Set.of(AgentType.RETRIEVER, AgentType.INIT, AgentType.CODER, AgentType.ENSEMBLER);
    private static final int MOST = 3_000;
    private static final int LONGEST = 1_500;

    /// The findings that an agent is told, within bounds: those of its own path and then the
    /// latest, each with the step that looked, and the number of those for which there is no room.
    /// The same records give the same findings.
    static List<String> told(Records records, RunHeader run, StepPath asking, AgentType agent) {
        if (run.config().search().agentsLook() == 0 || !READERS.contains(agent)) {
            return List.of();
        }
        List<DataFinding> found =
                below(records, run.root()).sorted(Comparator
                        .comparing((DataFinding one) -> path(one.step).equals(path(asking)))
                        .thenComparing(DataFinding::endedAt)
                        .thenComparing(one -> one.step.inside())).toList();
        int left = found.size();
        int room = MOST;
        List<String> told = new ArrayList<>();
        while (left > 0 && found.get(left - 1).text().length() <= room) {
            left--;
            DataFinding one = found.get(left);
            room -= one.text().length();
            told.addFirst("- " + attempt(one.step) + ": " + one.text());
        }
        if (left > 0) {
            told.addFirst("(" + left + " others left out)");
        }
        return told;
    }

    /// E.g. `path1`, of all attempts of that path.
    private static String path(StepPath step) {
        return attempt(step).replaceFirst("-attempt.*", "");
    }

    /// E.g. `path1-attempt3`: the phase that the agent was asked in.
    private static String attempt(StepPath step) {
        String phase = step.inside().replaceFirst("/[^/]*$", "");
        return phase.substring(phase.lastIndexOf('/') + 1);
    }

    private static Stream<DataFinding> below(Records records, StepPath phase) {
        return records.listed(phase)
                .entrySet()
                .stream()
                .flatMap(step -> of(records, step.getKey(), step.getValue()));
    }

    private static Stream<DataFinding> of(Records records, StepPath step, boolean hasEnded) {
        if (Walk.mayBePhase(step)) {
            return below(records, step);
        }
        return hasEnded && Walk.isAgent(step)
                ? records.result(step).stream().flatMap(result -> of(step, result))
                : Stream.empty();
    }

    private static Stream<DataFinding> of(StepPath step, StepResult result) {
        if (!(result.ending() instanceof StepResult.Done done)) {
            return Stream.empty();
        }
        return done.answer()
                .looks()
                .stream()
                .map(DataLook::output)
                .filter(output -> !output.startsWith(DataLook.ERROR))
                .map(DataFinding::lines)
                .filter(text -> !text.isEmpty())
                .map(text -> new DataFinding(step, result.endedAt(), text));
    }

    /// The beginning of the output, its lines indented, so that it can begin neither a heading nor
    /// a block of code. Warnings of a script that did its work tell nothing of the data.
    private static String lines(String text) {
        String printed = text.split("(?m)^\\Q" + DataLook.STDERR + "\\E$", 2)[0];
        return OutputExcerpt.parts(printed, LONGEST).replace("\n", "\n    ");
    }
}
