package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Arithmetic.BlendPredictions;
import io.mlestar.core.step.Arithmetic.Blended;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.Validation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The harness over the store, which keeps the files of a run's hold-out: the tables that scripts see in place of the task's, and the labels of the hidden rows.
///
/// @param step that does the work
/// @param data the folder of the task's data on this machine
public record HoldoutFiles(Store store, StepPath step, RunContext context, Supplier<Path> data) implements Harness {
    private static final String LABELS = "labels.csv";
    private static final String INPUT = "input";
    private static final String LEFT_OUT = "left-out.json";
    private static final long LARGEST = 256L << 20;
    private static final int DIGITS = 16;
    private static final int NAME_DIGITS = 12;
    private static final Set<PosixFilePermission> READ_ONLY = PosixFilePermissions.fromString("r--r--r--");
    /// Stands for what this process's locale cannot read of a file's name: such a file cannot be told from one that is left out.
    private static final char UNNAMED = '\uFFFD';

    @Override
    public boolean isScoring() {
        return context.holdoutDigest() != null;
    }

    /// Under a digest of them. Without a metric that can be computed here nothing is hidden.
    @Override
    public Execution.Submission hold(Path left) throws IOException {
        Path labels = left.resolve(LABELS);
        if (!Files.isRegularFile(labels, LinkOption.NOFOLLOW_LINKS)) {
            throw new Invalid("the program that hides rows left no labels");
        }
        if (!HiddenLabels.knows(metric(), context.task().metricDirection())) {
            throw new Invalid("the program cannot compute " + metric() + " where a " + context.task().metricDirection().better() + " one is better");
        }
        // What cannot be scored now, as labels that the metric is not defined for, could not be later.
        Path sample = Submissions.sample(left.resolve(INPUT)).orElseThrow(() -> new Invalid("the program that hides rows left no sample submission"));
        SubmissionForm form = Submissions.form(sample);
        HiddenLabels hidden = HiddenLabels.of(Files.readAllBytes(labels), form.format(), metric());
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
        String key = folder() + "/" + HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
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

    /// The task's data, but for the tables that are replaced and the files that are left out. Files are linked, so that large data cost nothing, and copied where
    /// they cannot be linked; nothing leads back to the folder of the task. A symbolic link leads to what is shown in its place.
    @Override
    public void show(Path view) throws IOException {
        Holdout holdout = holdout();
        Path root = data.get().toRealPath();
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
            Files.write(shown, read(INPUT + "/" + file));
            Files.setPosixFilePermissions(shown, READ_ONLY);
        }
    }

    /// The task's files that are replaced or left out.
    private Set<String> gone(Holdout holdout) {
        Set<String> gone = new HashSet<>(holdout.files());
        store.read(key(LEFT_OUT)).ifPresent(list -> Json.parse(new String(list, StandardCharsets.UTF_8)).forEach(file -> gone.add(file.textValue())));
        return gone;
    }

    private static void linkOrCopy(Path file, Path shown) throws IOException {
        try {
            Files.createLink(shown, file);
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.copy(file, shown);
            Files.setPosixFilePermissions(shown, READ_ONLY);
        }
    }

    @Override
    public Validation validate(Path predictions) throws IOException {
        SubmissionForm form = form();
        HiddenLabels labels = labels(form);
        Table given = form.read("the submission", Table.open("the submission", predictions), labels::isHidden);
        if (!given.problems().isEmpty()) {
            throw new Invalid(given.problems().getFirst());
        }
        Validation validation = labels.validate(given, kept(predictions));
        Path rest = Files.createTempFile(predictions.getParent(), "submission", ".csv");
        labels.withoutHidden(predictions, rest);
        Files.move(rest, predictions, StandardCopyOption.REPLACE_EXISTING);
        return validation;
    }

    private String kept(Path predictions) throws IOException {
        String key = Records.stepKey(step) + ".predictions-" + Sha256.hex(Files.newInputStream(predictions)).substring(0, NAME_DIGITS) + ".csv";
        store.create(key, Files.newInputStream(predictions));
        return key;
    }

    @Override
    public <R> R compute(Arithmetic<R> arithmetic) {
        return arithmetic.resultType().cast(switch (arithmetic) {
            case BlendPredictions members -> blend(members.predictions());
            case ComparePredictions pair -> compare(pair);
        });
    }

    private SubmissionComparison compare(ComparePredictions pair) {
        TableFormat format = form().format();
        return new SubmissionComparison(PredictionDistance.of(predictions(pair.scored(), format), predictions(pair.submitted(), format), metric()));
    }

    private Table predictions(String key, TableFormat format) {
        return Table.of(key, stored(key), format);
    }

    private Blended blend(List<String> keys) {
        HiddenLabels labels = labels(form());
        return GreedyBlend.of(labels, keys.stream().map(key -> labels.hiddenRows(key, stored(key))).toList(), keys);
    }

    private byte[] stored(String key) {
        return store.read(key).orElseThrow(() -> new Invalid("there is no " + key));
    }

    private SubmissionForm form() {
        byte[] sample = read(INPUT + "/" + holdout().files().getLast());
        return SubmissionForm.of("the sample submission", () -> new ByteArrayInputStream(sample));
    }

    private HiddenLabels labels(SubmissionForm form) {
        return HiddenLabels.of(read(LABELS), form.format(), metric());
    }

    private String metric() {
        return context.task().evaluationMetric();
    }

    private Holdout holdout() {
        return Objects.requireNonNull(context.facts().holdout(), "the run has no hold-out");
    }

    private byte[] read(String file) {
        String key = key(file);
        return store.read(key).orElseThrow(() -> new Invalid("the hold-out lacks " + key));
    }

    /// Key of the run's folder of hold-outs.
    private String folder() {
        return Records.key(step.run(), "holdout");
    }

    private String key(String file) {
        return folder() + "/" + holdout().digest() + "/" + file;
    }
}
