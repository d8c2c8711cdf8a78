package io.mlestar.core.step;

import org.jspecify.annotations.Nullable;

/// The tables of a task's data and their purposes, as the survey found them: paths below the folder
/// of the data.
///
/// @param train null if no table has labels
/// @param test null if no table has the rows to be predicted
/// @param submission the sample submission; null if there is none
public record DataTables(
        @Nullable String train,
        @Nullable String test,
        @Nullable String submission) {}
