package io.mlestar.app.cli.draft;

import io.mlestar.app.cli.draft.DataShape.ClassFolders;
import io.mlestar.app.cli.draft.DataShape.TableShape;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A description of a task by files and columns alone, for a user who gives none.
///
/// @param targets columns to be predicted; empty for folders that are classes
record TaskText(DataShape data, List<String> targets, DataModality modality, String metric, MetricDirection direction) {
    private static final int SHOWN_COLUMNS = 40;
    private static final int SHOWN_NAMES = 20;

    String text() {
        List<String> lines = new ArrayList<>();
        TableShape train = data.train();
        ClassFolders classes = data.classes();
        lines.add("Predict " + (classes != null ? "the class of each " + thing() + " in `" + classes.test() + "`" : ticked(targets) + " for " + rows(train))
                + ".");
        add(lines, "Metric", "Submissions are evaluated by " + metric + ". " + (direction == MetricDirection.MAXIMIZE ? "Higher" : "Lower") + " is better.");
        add(lines, "Files", classes != null ? "- `" + classes.folder() + "`: " + classes.files() + " " + thing()
                + "s, each in a folder that is named after its class: " + shown(classes.names().stream().map(name -> "`" + name + "`").toList(),
                        classes.count())
                + ".\n- `" + classes.test() + "`: " + classes.asked() + " " + thing() + "s without a class."
                : train == null ? "" : files(train));
        if (train != null) {
            add(lines, "Columns", "In `" + train.path() + "`: " + ticked(train.names()) + more(train.width(), SHOWN_COLUMNS) + ".");
        }
        add(lines, "Submission", "A file `submission.csv` with " + submission() + ".");
        return String.join("\n", lines) + "\n";
    }

    private static void add(List<String> lines, String heading, String text) {
        lines.addAll(List.of("", "## " + heading, "", text));
    }

    private String rows(@Nullable TableShape train) {
        TableShape asked = data.test() != null ? data.test() : data.submission();
        return asked != null ? "each row of `" + asked.path() + "`" : "rows that are like those of `" + (train == null ? "" : train.path()) + "`";
    }

    private String files(TableShape train) {
        List<String> lines = new ArrayList<>(List.of("- `" + train.path() + "`: " + train.rows() + " rows, with the target."));
        if (data.test() != null) {
            lines.add("- `" + data.test().path() + "`: " + data.test().rows() + " rows, without the target.");
        }
        if (data.submission() != null) {
            lines.add("- `" + data.submission().path() + "`: a submission in the right format.");
        }
        if (data.images() + data.sounds() > 0) {
            lines.add("- " + (data.images() > 0 ? data.images() + " images" : data.sounds() + " sounds") + ".");
        }
        return String.join("\n", lines);
    }

    private String submission() {
        if (data.submission() != null) {
            return "the header and the ids of `" + data.submission().path() + "`, " + data.submission().rows() + " rows: " + ticked(data.submission().names());
        }
        ClassFolders classes = data.classes();
        return classes == null ? "a header, and for each row of the test data its identifier and the prediction"
                : "the header `id,label` and a row for each file of `" + classes.test() + "`: its path below `" + classes.test()
                        + "`, with the ending, and the name of its class";
    }

    private String thing() {
        return modality == DataModality.AUDIO ? "sound" : "image";
    }

    private static String ticked(List<String> columns) {
        return columns.stream().limit(SHOWN_COLUMNS).map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }

    /// @param count of all, of which `names` may be a part
    static String shown(List<String> names, int count) {
        return String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size()))) + more(count, SHOWN_NAMES);
    }

    private static String more(int count, int shown) {
        return count > shown ? " and " + (count - shown) + " more" : "";
    }
}
