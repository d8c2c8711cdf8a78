package io.mlestar.app.start;

import io.mlestar.adapter.grade.GreedyBlend;
import io.mlestar.adapter.grade.HiddenLabels;
import io.mlestar.adapter.grade.PredictionDistance;
import io.mlestar.adapter.grade.SubmissionForm;
import io.mlestar.adapter.grade.Submissions;
import io.mlestar.adapter.grade.Table;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Validation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// The files of a run's hold-out in the store: the tables that scripts see in place of the task's, and the labels of the hidden rows.
///
/// @param folder key of the run's folder of hold-outs
record HoldoutFiles(Store store, String folder) {
    private static final String LABELS = "labels.csv";
    private static final String INPUT = "input";
    private static final String LEFT_OUT = "left-out.json";
    private static final long LARGEST = 256L << 20;
    private static final int DIGITS = 16;
    /// Stands for what this process's locale cannot read of a file's name: such a file cannot be told from one that is left out.
    private static final char UNNAMED = '\uFFFD';

    static HoldoutFiles of(Store store, String run) {
        return new HoldoutFiles(store, Records.key(run, "holdout"));
    }

    /// Keeps what the survey's script left, under a digest of it.
    ///
    /// @param metric without one that can be computed here nothing is hidden
    /// @throws Invalid if it cannot be kept
    Execution.Submission keep(Path left, String metric, MetricDirection direction) throws IOException {
        Path labels = left.resolve(LABELS);
        if (!Files.isRegularFile(labels, LinkOption.NOFOLLOW_LINKS)) {
            throw new Invalid("the program that hides rows left no labels");
        }
        if (!HiddenLabels.knows(metric, direction)) {
            throw new Invalid("the program cannot compute " + metric + " where a " + direction.better() + " one is better");
        }
        // What cannot be scored now, as labels that the metric is not defined for, could not be later.
        Path sample = Submissions.sample(left.resolve(INPUT)).orElseThrow(() -> new Invalid("the program that hides rows left no sample submission"));
        SubmissionForm form = Submissions.form(sample);
        HiddenLabels hidden = HiddenLabels.of(Files.readAllBytes(labels), form.format(), metric);
        hidden.validate(form.read("the sample submission", Table.open("the sample submission", sample), hidden::isHidden), "sample");
        List<Path> files = regular(left);
        MessageDigest digest = Sha256.digest();
        for (Path file : files) {
            if (Files.size(file) > LARGEST) {
                throw new Invalid(file.getFileName() + " is larger than " + (LARGEST >> 20) + " MB");
            }
            digest.update(left.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        String key = folder + "/" + HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        long size = 0;
        for (Path file : files) {
            store.create(key + "/" + left.relativize(file), Files.newInputStream(file));
            size += Files.size(file);
        }
        return new Execution.Submission(key, size, 0);
    }

    private static List<Path> regular(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).sorted().toList();
        }
    }

    /// Fills an empty folder with the task's data, but for the tables that are replaced and the files that are left out. Files are linked, so that large data
    /// cost nothing, and copied where they cannot be linked; nothing leads back to the folder of the task. A symbolic link leads to what is shown in its place.
    void show(Path view, Path data, Holdout holdout) throws IOException {
        Path root = data.toRealPath();
        Set<String> gone = gone(holdout);
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                String name = root.relativize(path).toString();
                Path shown = view.resolve(name);
                if (Files.isSymbolicLink(path)) {
                    if (Files.exists(path) && path.toRealPath().startsWith(root)) {
                        Path there = view.resolve(root.relativize(path.toRealPath()).toString());
                        Files.createSymbolicLink(shown, Path.of(".").resolve(Objects.requireNonNull(shown.getParent()).relativize(there)));
                    }
                } else if (Files.isDirectory(path)) {
                    Files.createDirectories(shown);
                } else if (Files.isRegularFile(path) && !gone.contains(name) && name.indexOf(UNNAMED) < 0) {
                    linkOrCopy(path, shown);
                }
            }
        }
        for (String file : holdout.files()) {
            Path shown = view.resolve(file).normalize();
            if (!shown.startsWith(view)) {
                throw new Invalid("the hold-out names a file outside the data");
            }
            Files.write(shown, read(holdout, INPUT + "/" + file));
        }
    }

    /// The task's files that are replaced or left out. A hold-out of a version that left none out has no list of them.
    private Set<String> gone(Holdout holdout) {
        Set<String> gone = new HashSet<>(holdout.files());
        store.read(key(holdout, LEFT_OUT)).ifPresent(list -> Json.parse(new String(list, StandardCharsets.UTF_8)).forEach(file -> gone.add(file.textValue())));
        return gone;
    }

    private static void linkOrCopy(Path file, Path shown) throws IOException {
        try {
            Files.createLink(shown, file);
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.copy(file, shown);
        }
    }

    /// Scores predictions, and leaves in the file only rows that the task asks for.
    ///
    /// @param keep stores a file's content under a name made from it, and gives the key
    /// @throws Invalid with what is wrong with them, for the script's author
    Validation validate(Path predictions, Holdout holdout, String metric, Function<Path, String> keep) throws IOException {
        SubmissionForm form = form(holdout);
        HiddenLabels labels = labels(holdout, form, metric);
        Table given = form.read("the submission", Table.open("the submission", predictions), labels::isHidden);
        if (!given.problems().isEmpty()) {
            throw new Invalid(given.problems().getFirst());
        }
        Validation validation = labels.validate(given, keep.apply(predictions));
        Path rest = Files.createTempFile(predictions.getParent(), "submission", ".csv");
        labels.withoutHidden(predictions, rest);
        Files.move(rest, predictions, StandardCopyOption.REPLACE_EXISTING);
        return validation;
    }

    /// Compares a submission with predictions that were validated.
    ///
    /// @throws Invalid if they cannot be compared
    Execution compare(String pair, Holdout holdout, String metric) {
        SubmissionComparison.Pair keys = Json.readStrictly(Json.parse(pair), SubmissionComparison.Pair.class);
        TableFormat format = form(holdout).format();
        SubmissionComparison comparison =
                new SubmissionComparison(PredictionDistance.of(predictions(keys.scored(), format), predictions(keys.submitted(), format), metric));
        return Execution.of(new EvaluationResult(null, Json.text(comparison), "", 0, 0, false, null), false, null, null);
    }

    private Table predictions(String key, TableFormat format) {
        return Table.of(key, store.read(key).orElseThrow(() -> new Invalid("there is no " + key)), format);
    }

    /// Blends predictions that were validated.
    ///
    /// @throws Invalid if they cannot be blended
    Execution blend(String members, Holdout holdout, String metric) {
        List<String> keys = Json.readStrictly(Json.parse(members), Blend.Members.class).predictions();
        HiddenLabels labels = labels(holdout, form(holdout), metric);
        List<Table> predictions = keys.stream()
                .map(key -> labels.hiddenRows(key, store.read(key).orElseThrow(() -> new Invalid("there is no " + key)))).toList();
        GreedyBlend.Blended blended = GreedyBlend.of(labels, predictions, keys);
        return Execution.of(new EvaluationResult(blended.validation().search(), Json.text(blended.blend()), "", 0, 0, false, null, blended.validation()), false,
                null, null);
    }

    private SubmissionForm form(Holdout holdout) {
        byte[] sample = read(holdout, INPUT + "/" + holdout.files().getLast());
        return SubmissionForm.of("the sample submission", () -> new ByteArrayInputStream(sample));
    }

    private HiddenLabels labels(Holdout holdout, SubmissionForm form, String metric) {
        return HiddenLabels.of(read(holdout, LABELS), form.format(), metric);
    }

    private byte[] read(Holdout holdout, String file) {
        String key = key(holdout, file);
        return store.read(key).orElseThrow(() -> new Invalid("the hold-out lacks " + key));
    }

    private String key(Holdout holdout, String file) {
        return folder + "/" + holdout.digest() + "/" + file;
    }
}
