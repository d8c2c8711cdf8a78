package io.mlestar.core.agent;

import io.mlestar.core.agent.Agents.AgentRow;
import io.mlestar.core.step.Agent;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Edits;
import java.util.Optional;

/// An agent of the catalogue [Agents], which knows all of it but its inputs, its variables and how
/// its answer is read.
///
/// @param <R> what the answer means
interface CatalogueAgent<R> extends Agent<R> {
    private AgentRow row() {
        return Agents.ALL.of(getClass());
    }

    @Override
    default AgentType type() {
        return row().type();
    }

    @Override
    default Optional<String> variant() {
        return row().variant();
    }

    @Override
    default String name() {
        return row().name();
    }

    @Override
    default Optional<String> cachePrefix() {
        return row().cachePrefix();
    }

    @Override
    default boolean receivesNotes() {
        return row().receivesNotes();
    }

    /// It answers with code. A truncated answer counts only if it was cut behind the code.
    interface Coding<R> extends CatalogueAgent<R> {
        @Override
        default boolean acceptsTruncated(String cut) {
            return CodeFences.areClosed(cut);
        }
    }

    /// It answers with a whole program, or with edits of one: half of them would make another
    /// program.
    interface Editing<R> extends Coding<R> {
        @Override
        default boolean acceptsTruncated(String cut) {
            return Edits.begin(cut) < 0 && Coding.super.acceptsTruncated(cut);
        }
    }

    /// It answers with a whole program.
    interface OfCode extends Coding<Reply.Code> {
        @Override
        default Reply.Code read(String answer) {
            return new Reply.Code(Reading.code(answer));
        }
    }

    /// It answers with a part of a program.
    interface OfBlock extends Coding<Reply.Block> {
        @Override
        default Reply.Block read(String answer) {
            return new Reply.Block(Reading.code(answer));
        }
    }

    /// It answers with a plan.
    interface OfPlan extends CatalogueAgent<Reply.Plan> {
        @Override
        default Reply.Plan read(String answer) {
            return new Reply.Plan(Reading.prose(answer));
        }
    }
}
