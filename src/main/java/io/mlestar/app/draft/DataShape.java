package io.mlestar.app.draft;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a program found of the data, in figures (`survey/card-shape.py`). Names are those of the data, so anybody may have written them: they
/// are fit to be shown on one line.
///
/// @param complete whether all was looked at in time
/// @param files how many there are
/// @param train the table to learn from; null if none can be told to be it
/// @param test the one without the target; null if there is none
/// @param submission the one that shows the form of the submission; null if there is none
/// @param tables paths of all
/// @param unread paths of those that could not be read
/// @param targets columns to be predicted, by what the submission holds, or the only one that `test` lacks
/// @param ofClasses columns whose values are the submission's columns, if there are no `targets`
/// @param lacking columns that `train` has and `test` lacks
/// @param classes the folders that are classes; null if there are none, or a table to learn from
/// @param doubts where the tables contradict each other, or were not read as they were meant: sentences
/// @param images how many files
/// @param sounds how many files
@RegisterForReflection(targets = {DataShape.class, DataShape.TableShape.class, DataShape.ColumnShape.class})
public record DataShape(boolean complete, int files, @Nullable TableShape train, @Nullable TableShape test, @Nullable TableShape submission,
        List<String> tables, List<String> unread, List<String> targets, List<String> ofClasses, List<String> lacking, @Nullable ClassFolders classes,
        List<String> doubts, int images, int sounds) {
    /// The program keeps to much less.
    private static final int LONGEST = 1 << 20;

    /// @param width how many columns it has, of which not all may be told
    public record TableShape(String path, long rows, int width, List<ColumnShape> columns) {
        public TableShape {
            path = DataReading.plain(path);
            columns = List.copyOf(columns);
        }

        /// By its name.
        Optional<ColumnShape> column(String name) {
            return columns.stream().filter(column -> column.name().equals(name)).findFirst();
        }

        List<String> names() {
            return columns.stream().map(ColumnShape::name).toList();
        }
    }

    /// @param kind as the data card calls it, e.g. `integer`, `real`, `boolean`, `category`, `text`, `identifier`, `constant`
    /// @param distinct values
    /// @param length mean number of characters
    /// @param values those that occur most, if they are few
    public record ColumnShape(String name, String kind, long distinct, long missing, double length, List<String> values) {
        public ColumnShape {
            name = DataReading.plain(name);
            values = plain(values);
        }
    }

    public DataShape {
        tables = plain(tables);
        unread = plain(unread);
        targets = plain(targets);
        ofClasses = plain(ofClasses);
        lacking = plain(lacking);
        doubts = plain(doubts);
    }

    /// What a program printed: its last line is the object, whatever was printed before.
    ///
    /// @return empty if it is none, or not of the form
    public static Optional<DataShape> read(String printed) {
        try {
            return SurveyScripts.printed(printed, LONGEST).map(said -> Json.readStrictly(said, DataShape.class));
        } catch (Invalid e) {
            return Optional.empty();
        }
    }

    private static List<String> plain(List<String> names) {
        return names.stream().map(DataReading::plain).toList();
    }
}
