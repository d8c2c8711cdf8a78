package io.mlestar.core.engine;

import io.mlestar.core.base.Digits;
import io.mlestar.core.base.Excerpt;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The output of a script by which an agent looked at the data: a fact for the agents that are
/// asked later.
///
/// @param printed without warnings: those of a script that did its work tell nothing of the data
record DataFinding(StepPath step, Instant endedAt, String printed) {
    private static final Set<AgentType> READERS =
            Set.of(AgentType.RETRIEVER, AgentType.INIT, AgentType.CODER, AgentType.ENSEMBLER);
    private static final int MOST = 4_000;
    private static final int LEAST = 200;

    /// The findings that an agent is told, within bounds: those of its own path and then the
    /// latest, each with the step that looked, and the number of those for which there is no room.
    /// The same records give the same findings.
    static List<String> told(Records records, RunHeader run, StepPath asking, AgentType agent) {
        if (run.config().search().agentsLook() == 0 || !READERS.contains(agent)) {
            return List.of();
        }
        Optional<String> own = asking.refinementPath();
        List<DataFinding> found =
                below(records, run.root()).sorted(Comparator
                        .comparing((DataFinding one) -> own.isPresent()
                                && own.equals(one.step.refinementPath()))
                        .thenComparing(DataFinding::endedAt)
                        .thenComparing(one -> one.step.inside())).toList();
        List<String> told = new ArrayList<>();
        Set<String> figures = new HashSet<>();
        int room = MOST;
        for (DataFinding one : found.reversed()) {
            if (room < LEAST) {
                break;
            }
            // The latest tells most, and the older ones are not forgotten for it.
            String said = Excerpt.clip(one.said(room / 2, figures), room);
            if (!said.isEmpty()) {
                room -= said.length();
                told.addFirst(said);
            }
        }
        int compared =
                found.stream().mapToInt(one -> OutputExcerpt.compared(one.printed)).sum();
        if (compared > 1) {
            // The universal threshold of Donoho and Johnstone (1994).
            told.add("- In all, " + compared
                    + " variants were compared: of as many equal ones the best may lead by "
                    + Digits.of(Math.sqrt(2 * Math.log(compared)), 2) + " errors.");
        }
        return told;
    }

    /// An excerpt of about `most` characters, its lines indented, so that it can begin neither a
    /// heading nor a block of code; empty if it tells nothing new.
    ///
    /// @param figures lines with figures that are told already: looks of one answer repeat them
    private String said(int most, Set<String> figures) {
        String fresh = printed.lines()
                .filter(line -> line.matches("\\D*+") || figures.add(line))
                .collect(Collectors.joining("\n"));
        if (fresh.isBlank()) {
            return "";
        }
        String excerpt = OutputExcerpt.parts(fresh, most).replace("\n", "\n    ");
        return "- " + step.parent().orElseThrow().name() + ": " + excerpt;
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
        return result.done()
                .stream()
                .flatMap(done -> done.answer().looks().stream())
                .map(DataLook::output)
                .filter(output -> !output.startsWith(DataLook.ERROR))
                .map(output -> output.split("(?m)^\\Q" + DataLook.STDERR + "\\E$", 2)[0])
                .filter(printed -> !printed.isBlank())
                .map(printed -> new DataFinding(step, result.endedAt(), printed));
    }
}
