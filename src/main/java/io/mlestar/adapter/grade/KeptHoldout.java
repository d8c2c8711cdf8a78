package io.mlestar.adapter.grade;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.store.Store;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// The files of a hold-out as the store keeps them: see `survey/holdout.py`, which writes them.
///
/// @param folder key of the run's hold-outs
record KeptHoldout(Store store, String folder, Holdout holdout) {
    static final String LABELS = "labels.csv";
    /// The other columns of training for the rows of the labels; they are not kept.
    static final String COLUMNS = "columns.csv";
    static final String DRAWS = "draws.json";
    private static final String NAMES = "names.csv";
    private static final String LEFT_OUT = "left-out.json";
    private static final String COPIES = "copies.json";

    /// Key of a run's folder of hold-outs.
    static String folder(String run) {
        return Records.key(run, "holdout");
    }

    byte[] read(String file) {
        return find(file).orElseThrow(() -> new Invalid("the hold-out lacks " + key(file)));
    }

    private Optional<byte[]> find(String file) {
        return store.read(key(file));
    }

    private String key(String file) {
        return folder + "/" + holdout.digest() + "/" + file;
    }

    /// @param metric of the task
    /// @param fold empty for all folds
    HiddenLabels labels(SubmissionForm form, RunMetric metric, OptionalInt fold) {
        return metric.labels(read(LABELS), form, holdout.digest(), fold);
    }

    /// The source of the task's own metric.
    Optional<String> metricProgram() {
        return find(MetricProgram.FILE).map(file -> new String(file, StandardCharsets.UTF_8));
    }

    /// The draws for the error of a score by the task's own metric; 0 with another metric.
    int draws() {
        return find(DRAWS)
                .map(number -> Integer.parseInt(new String(number, StandardCharsets.UTF_8)))
                .orElse(0);
    }

    /// The form of predictions for the data of a fold.
    SubmissionForm form(int fold) {
        String view = Holdout.view(fold);
        byte[] sample = read(view + "/" + sample());
        return placed(view).map(PlacedRows::form)
                .orElseGet(() -> SubmissionForm.of("the sample submission",
                        () -> new ByteArrayInputStream(sample)));
    }

    private String sample() {
        return holdout.files().getLast();
    }

    RowNames names() {
        return find(NAMES).map(RowNames::of).orElse(RowNames.OWN);
    }

    /// The rows of a view, if their place alone names them.
    Optional<PlacedRows> placed(String view) {
        return find(order(view))
                .map(order -> PlacedRows.of(read(view + "/" + sample()), order, read(LABELS)));
    }

    /// The task's own rows, if their place alone names them.
    Optional<PlacedRows> placedOfTask() {
        return placed(Holdout.FIRST).map(placed -> placed.own(read("own/" + sample())));
    }

    /// The file that names the rows of a view by their places.
    static String order(String view) {
        return "order/" + view + ".csv";
    }

    /// True if hidden rows have files of their own, which stand at other places in each view.
    boolean movesFiles() {
        return find(moves(Holdout.FIRST)).isPresent();
    }

    /// True if all files of a view are copies, so that their times tell nothing.
    boolean copiesFiles() {
        return find(COPIES).isPresent();
    }

    private static String moves(String view) {
        return "moves/" + view + ".json";
    }

    /// The task's files that scripts do not see.
    ///
    /// @param replaced those that others take the place of
    Set<String> gone(List<String> replaced, String view) {
        Set<String> gone = new HashSet<>(replaced);
        find(LEFT_OUT).ifPresent(list -> json(list).forEach(file -> gone.add(file.textValue())));
        moved(view).properties()
                .stream()
                .filter(file -> file.getValue().isNull())
                .forEach(file -> gone.add(file.getKey()));
        return gone;
    }

    /// Maps the place of each hidden row's file in the task to its place in a view.
    Map<String, String> places(String view) {
        Map<String, String> places = new HashMap<>();
        moved(view).properties()
                .stream()
                .filter(file -> file.getValue().isTextual())
                .forEach(file -> places.put(file.getKey(), file.getValue().textValue()));
        return places;
    }

    private JsonNode moved(String view) {
        return json(find(moves(view)).orElse("{}".getBytes(StandardCharsets.UTF_8)));
    }

    private static JsonNode json(byte[] text) {
        return Json.parse(new String(text, StandardCharsets.UTF_8));
    }
}
