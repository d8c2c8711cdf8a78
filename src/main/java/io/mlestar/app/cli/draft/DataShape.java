package io.mlestar.app.cli.draft;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What the survey script found in the data, in figures (`survey/card-shape.py`). Names come from the data and are hostile: [#read]
/// makes them fit for one line.
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
    public record ColumnShape(String name, String kind, long distinct, long missing, double length, List<String> values) {}

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
            folder = folder.isEmpty() ? "." : folder;
        }
    }

    /// Reads the last line of what the script printed.
    ///
    /// @return empty if it is not of this form
    public static Optional<DataShape> read(String printed) {
        try {
            return SurveyScripts.printed(printed, LONGEST).map(said -> Json.readStrictly(plain(said), DataShape.class));
        } catch (Invalid e) {
            return Optional.empty();
        }
    }

    private static JsonNode plain(JsonNode said) {
        switch (said) {
            case ObjectNode fields -> fields.properties().forEach(field -> field.setValue(plain(field.getValue())));
            case ArrayNode list -> IntStream.range(0, list.size()).forEach(i -> list.set(i, plain(list.get(i))));
            default -> {}
        }
        return said.isTextual() ? TextNode.valueOf(DataReading.plain(said.textValue())) : said;
    }
}
