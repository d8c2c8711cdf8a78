package io.mlestar.core.agent;

import io.mlestar.core.task.AttemptRecord.AttemptKind;
import java.util.Optional;

/// The replies of free-text agents, read. The field names are those of the agents' JSON answers.
public sealed interface Reply {
    /// A whole Python program.
    record Code(String code) implements Reply {}

    /// An attempt on a whole script.
    ///
    /// @param tried what the agent expects of it and why, in a line
    /// @param code the whole script, with the edits made
    record Scripted(AttemptKind kind, String tried, String code) implements Reply {}

    /// A part of a program, indentation kept.
    record Block(String codeBlock) implements Reply {}

    /// A plan in prose: the paper's p_k or e_r.
    record Plan(String plan) implements Reply {}

    /// The findings of an ablation study: the paper's T_abl.
    record Summary(String summary) implements Reply {}

    /// A_data's verdict.
    ///
    /// @param code improved program; null if all the information is used already
    record DataUsage(Optional<String> code) implements Reply {}

    /// The block that subsamples.
    ///
    /// @param codeBlock null if nothing is subsampled
    record Subsampling(Optional<String> codeBlock) implements Reply {}
}
