package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;

/// The format of a table and the columns that name its rows, as a task's sample submission shows
/// them.
///
/// @param delimiter between fields: one of [#DELIMITERS]
/// @param decimal `.` or `,`: what stands before the decimals of a number
/// @param keys how many leading columns name a row; 0 if no columns tell rows apart, so that its
///   place does
public record TableFormat(char delimiter, char decimal, int keys) {
    /// Usual delimiters, the likeliest first.
    public static final String DELIMITERS = ",;\t|";
    /// Comma-separated values whose first column names the rows.
    public static final TableFormat USUAL = new TableFormat(',', '.', 1);

    public TableFormat {
        if (DELIMITERS.indexOf(delimiter) < 0 || decimal != '.' && decimal != ',' || keys < 0) {
            throw new Invalid("there is no such format of a table");
        }
    }

    /// The first column that holds values to be predicted. Where rows have no names, the first
    /// column still says what they are about.
    ///
    /// @param width how many columns there are
    public int firstValue(int width) {
        return keys > 0 ? Math.min(keys, width) : Math.clamp(width - 1L, 0, 1);
    }
}
