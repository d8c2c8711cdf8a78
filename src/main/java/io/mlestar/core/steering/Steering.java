package io.mlestar.core.steering;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Note;
import java.util.function.Function;
import java.util.function.Supplier;

/// The requests that people make of a run while it goes on. The commands, the page of a run and the
/// tools over MCP find the run and pass the request on; the rules and the words are here.
public record Steering(Records records) {
    /// The result, in one line for people.
    public sealed interface Effect {
        String text();

        /// It holds from now on.
        record Done(String text) implements Effect {}

        /// It held before.
        record Unchanged(String text) implements Effect {}

        /// The run has ended.
        record Refused(String text) implements Effect {}

        /// True if this request changed something.
        default boolean isDone() {
            return this instanceof Done;
        }

        /// The text, unless the run has ended.
        ///
        /// @param refusal how the caller says that it was refused
        default String orThrow(Function<String, ? extends RuntimeException> refusal) {
            if (this instanceof Refused(String why)) {
                throw refusal.apply(why);
            }
            return text();
        }
    }

    /// @throws Invalid if the run has too many notes
    public Effect tell(RunHeader run, Note note) {
        return unlessEnded(run, () -> {
            new Notes(records.store()).add(run.runId(), note);
            return new Effect.Done(
                    named(run, ": planners and the extractor see it from their next question on"));
        });
    }

    /// @throws Invalid as [Extensions#add]
    public Effect extend(RunHeader run, Extension extension) {
        return unlessEnded(run, () -> {
            new Extensions(records.store()).add(run, extension);
            return new Effect.Done(named(run, " has " + extension.words() + " more"));
        });
    }

    /// Never refuses: what is asked for is that the run ends.
    public Effect cancel(RunHeader run) {
        if (records.hasEnded(run.runId())) {
            return new Effect.Unchanged(named(run, " has ended already"));
        }
        return records.cancel(run.runId())
                ? new Effect.Done(named(run, " will finish with the best so far"))
                : new Effect.Unchanged(named(run, " is finishing already"));
    }

    private Effect unlessEnded(RunHeader run, Supplier<Effect> steering) {
        return records.hasEnded(run.runId())
                ? new Effect.Refused(named(run,
                        " has ended; a fork of it goes on from any of its steps: mlestar fork "
                                + run.runId()
                                + " --at STEP"))
                : steering.get();
    }

    private static String named(RunHeader run, String what) {
        return "run " + run.runId() + what;
    }
}
