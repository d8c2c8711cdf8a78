package io.mlestar.app.draft;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Folders that are the classes of the images or sounds in them, as `train/cat/1.jpg`, where no table says more.
///
/// @param folder in which they lie; empty for the topmost
/// @param count of the classes
/// @param files in them
/// @param names of the classes, those with the most files first; of very many not all
/// @param test folder of what is to be predicted; null if there is none
/// @param asked how many files are to be predicted
/// @param answered whether these lie in folders of the same names
@RegisterForReflection
public record ClassFolders(String folder, int count, long files, List<String> names, @Nullable String test, long asked, boolean answered) {
    private static final int SHOWN = 20;

    public ClassFolders {
        folder = DataReading.plain(folder);
        names = names.stream().map(DataReading::plain).toList();
        test = test == null ? null : DataReading.plain(test);
    }

    /// @throws Invalid if a run could make no honest submission of it
    void check() {
        if (test == null) {
            throw new Invalid("the folders in " + where() + " are classes (" + shown()
                    + "), but there is nothing to predict: put the files in question into a folder test, "
                    + "or say with --description what is asked");
        }
        if (answered) {
            throw new Invalid("the files in " + test + " lie in folders of their classes, where scripts would see the answers: put them into one folder, "
                    + "and keep the answers elsewhere for mlestar grade --labels");
        }
    }

    /// @param column that the user wants; null if none is named
    /// @throws Invalid if one is named
    TargetGuess target(@Nullable String column) {
        if (column != null) {
            throw new Invalid("the data hold no table with a column \"" + column + "\"; the folders in " + where() + " are the classes, without --target");
        }
        return new TargetGuess(List.of("label"), "the name of the folder in " + where() + ": " + shown(), List.of());
    }

    TaskGuess kind(DataShape data) {
        TaskGuess byFiles = TaskGuess.described(data);
        boolean likely = data.submission() != null && data.submission().names().stream().filter(names::contains).count() > 1;
        return byFiles.of(count + " classes by folder", likely);
    }

    String facts() {
        return where() + " (" + files + " files in folders of " + count + " classes)" + (test == null ? "" : ", " + test + " (" + asked + " files)");
    }

    /// What can be said of a task without knowing what it is about.
    String description(DataShape data, DataModality modality, String metric, MetricDirection direction) {
        String thing = modality == DataModality.AUDIO ? "sound" : "image";
        StringBuilder text = new StringBuilder("Predict the class of each " + thing + " in `" + test + "`.\n\n## Metric\n\nSubmissions are evaluated by "
                + metric + ". " + (direction == MetricDirection.MAXIMIZE ? "Higher" : "Lower") + " is better.\n\n## Files\n\n");
        text.append("- `").append(where()).append("`: ").append(files).append(' ').append(thing).append("s, each in a folder that is named after its class: ")
                .append(names.stream().limit(SHOWN).map(name -> "`" + name + "`").collect(Collectors.joining(", ")))
                .append(count > SHOWN ? " and " + (count - SHOWN) + " more" : "").append(".\n");
        text.append("- `").append(test).append("`: ").append(asked).append(' ').append(thing).append("s without a class.\n");
        text.append("\n## Submission\n\nA file `submission.csv` with ");
        if (data.submission() == null) {
            text.append("the header `id,label` and a row for each file of `").append(test).append("`: its path below `").append(test)
                    .append("`, with the ending, and the name of its class.\n");
        } else {
            text.append("the header and the ids of `").append(data.submission().path()).append("`, ").append(data.submission().rows())
                    .append(" rows: ").append(data.submission().names().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "))).append(".\n");
        }
        return text.toString();
    }

    private String where() {
        return folder.isEmpty() ? "." : folder;
    }

    private String shown() {
        return String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))) + (count > SHOWN ? " and " + (count - SHOWN) + " more" : "");
    }
}
