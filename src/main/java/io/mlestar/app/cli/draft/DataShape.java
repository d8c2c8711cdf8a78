package io.mlestar.app.cli.draft;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the survey script found in the data, in figures (`survey/card-shape.py`). Names come from the data and are hostile: the constructors make
/// them fit for one line.
///
/// @param complete whether the script read all data in its time
/// @param files how many there are
/// @param train the table to learn from; null if unknown
/// @param test the table without the target; null if there is none
/// @param submission the sample submission; null if there is none
/// @param tables paths of all
/// @param unread paths of those that could not be read
/// @param targets columns to be predicted: those of the submission, or the only one that `test` lacks
/// @param ofClasses columns whose values are the submission's columns, if there are no `targets`
/// @param lacking columns that `train` has and `test` lacks
/// @param classes null if no folders are classes, or there is a table to learn from
/// @param doubts sentences: where the tables contradict each other, or may have been misread
/// @param images how many files
/// @param sounds how many files
@RegisterForReflection(targets = {DataShape.class, DataShape.TableShape.class, DataShape.ColumnShape.class, DataShape.ClassFolders.class})
public record DataShape(boolean complete, int files, @Nullable TableShape train, @Nullable TableShape test, @Nullable TableShape submission,
        List<String> tables, List<String> unread, List<String> targets, List<String> ofClasses, List<String> lacking, @Nullable ClassFolders classes,
        List<String> doubts, int images, int sounds) {
    /// The script prints much less.
    private static final int LONGEST = 1 << 20;

    /// @param width how many columns it has; `columns` are the first of them
    public record TableShape(String path, long rows, int width, List<ColumnShape> columns) {
        public TableShape {
            path = DataReading.plain(path);
            columns = List.copyOf(columns);
        }

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

    /// Folders that are the classes of the images or sounds in them, as `train/cat/1.jpg`, where no table says more.
    ///
    /// @param folder that holds them; empty for the topmost
    /// @param count of the classes
    /// @param files in them
    /// @param names of the classes, those with the most files first; not all of very many
    /// @param test folder of what is to be predicted; null if there is none
    /// @param asked how many files are to be predicted
    /// @param answered whether these lie in folders of the same names
    public record ClassFolders(String folder, int count, long files, List<String> names, @Nullable String test, long asked, boolean answered) {
        public ClassFolders {
            folder = folder.isEmpty() ? "." : DataReading.plain(folder);
            names = plain(names);
            test = test == null ? null : DataReading.plain(test);
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

    /// Reads the last line of what the script printed.
    ///
    /// @return empty if it is not of this form
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
