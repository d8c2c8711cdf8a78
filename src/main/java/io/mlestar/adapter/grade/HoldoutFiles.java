package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Arithmetic.BlendPredictions;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Arithmetic.ScoredBlend;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.Score;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The harness over the store, which keeps the files of a run's hold-out: the tables that scripts
/// see in place of the task's, and the labels of the hidden rows.
///
/// @param step that does the work
/// @param data the folder of the task's data on this machine
/// @param runner of the task's own metric
public record HoldoutFiles(
        Store store,
        StepPath step,
        RunContext context,
        Supplier<Path> data,
        MetricProgram.Runner runner) implements Harness {
    private static final long LARGEST = 256L << 20;
    private static final String PREDICTIONS = "predictions";
    private static final int DIGITS = 16;
    private static final int NAME_DIGITS = 12;

    @Override
    public boolean isScoring() {
        return context.scoresAreTrusted();
    }

    @Override
    public Optional<String> ownSplit() {
        return TaskProgram.SPLIT.find(data.get());
    }

    /// Stores the files under a digest of them.
    @Override
    public Execution.Submission hold(Path left) throws IOException {
        Optional<String> program = MetricProgram.find(data.get());
        LeftHoldout files = new LeftHoldout(left, context.task());
        Optional<String> why = Metric.unscored(context.task(), program);
        if (why.isPresent()) {
            return kept(files, Optional.of(why.get() + "\n" + files.frames()));
        }
        files.check(program, runner);
        return kept(files, Optional.empty());
    }

    @Override
    public Execution.Submission measure(String digest, String metric, Path folder, Duration longest)
            throws IOException {
        copy(folder() + "/" + digest, folder);
        LeftHoldout files = new LeftHoldout(folder, context.task());
        MetricProgram.Runner bounded = runner.within(longest);
        files.tryMetric(metric, bounded);
        files.check(Optional.of(metric), bounded);
        return kept(files, Optional.empty());
    }

    private void copy(String key, Path to) throws IOException {
        Files.createDirectories(to);
        for (String name : store.list(key)) {
            if (name.endsWith("/")) {
                String folder = name.substring(0, name.length() - 1);
                copy(key + "/" + folder, to.resolve(folder));
            } else {
                Files.write(to.resolve(name), stored(key + "/" + name));
            }
        }
    }

    /// @param unscored why no score can be computed, and what a `metric.py` would see; empty if
    ///   one can
    private Execution.Submission kept(LeftHoldout left, Optional<String> unscored)
            throws IOException {
        List<Path> files = left.files();
        MessageDigest digest = Sha256.digest();
        for (Path file : files) {
            if (Files.size(file) > LARGEST) {
                throw new Invalid(
                        file.getFileName() + " is larger than " + (LARGEST >> 20) + " MB");
            }
            digest.update(
                    left.folder().relativize(file).toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        String key =
                folder() + "/" + HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        long size = 0;
        for (Path file : files) {
            store.create(key + "/" + left.folder().relativize(file), Files.newInputStream(file));
            size += Files.size(file);
        }
        return new Execution.Submission(key, size, 0, unscored.orElse(null));
    }

    /// True if hidden rows have files of their own, so that a view of one fold is not made from
    /// that of another.
    public boolean movesFiles() {
        return kept().movesFiles();
    }

    /// The task's data, but for the tables that are replaced, the files that are left out, and
    /// those of hidden rows, which stand as the test's do.
    @Override
    public void show(Path folder, String view) throws IOException {
        List<String> files = new ArrayList<>(kept().holdout().files());
        if (view.equals(Holdout.STUDY)) {
            files.add(Holdout.STUDY_FOLDS);
        }
        new LinkedData(data.get(), kept().gone(files, view), kept().places(view),
                kept().copiesFiles()).into(folder);
        for (String file : files) {
            Path shown = folder.resolve(file).normalize();
            if (!shown.startsWith(folder)) {
                throw new Invalid("the hold-out names a file outside the data");
            }
            Files.createDirectories(Objects.requireNonNull(shown.getParent()));
            Files.write(shown, kept().read(view + "/" + file));
            LinkedData.finish(shown);
        }
    }

    @Override
    public Score validate(Path predictions, int fold) throws IOException {
        KeptHoldout kept = kept();
        SubmissionForm form = kept.form(fold);
        HiddenLabels labels = kept.labels(form, metric(form), OptionalInt.of(fold));
        Optional<PlacedRows> placed = kept.placed(Holdout.view(fold));
        if (placed.isPresent()) {
            Files.write(predictions, placed.get().named(Table.open("the submission", predictions)));
        }
        Table given = form.read("the submission", Table.open("the submission", predictions),
                labels::isHidden);
        given.check("");
        Score score =
                labels.score(given, kept(PREDICTIONS, () -> Files.newInputStream(predictions)));
        Path rest = Files.createTempFile(predictions.getParent(), "submission", ".csv");
        try (OutputStream to = Files.newOutputStream(rest)) {
            labels.withoutHidden(Files.newInputStream(predictions), to, kept.names());
        }
        if (placed.isPresent()) {
            Files.write(rest, kept.placedOfTask().orElseThrow().asked(Files.readAllBytes(rest)));
        }
        Files.move(rest, predictions, StandardCopyOption.REPLACE_EXISTING);
        return score;
    }

    /// A file that can be read twice.
    private interface Content {
        InputStream open() throws IOException;
    }

    private String kept(String what, Content file) throws IOException {
        String key =
                Records.stepKey(step) + "." + what + "-"
                        + Sha256.hex(file.open()).substring(0, NAME_DIGITS) + ".csv";
        store.create(key, file.open());
        return key;
    }

    @Override
    public <R> R compute(Arithmetic<R> arithmetic) {
        try {
            return arithmetic.resultType().cast(switch (arithmetic) {
                case BlendPredictions members -> blend(members);
                case ComparePredictions pair -> compare(pair);
                case CombineFolds folds -> combined(folds.predictions());
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SubmissionComparison compare(ComparePredictions pair) throws IOException {
        SubmissionForm form = kept().form(0);
        HiddenLabels labels = labels(OptionalInt.empty());
        How how = metric(form).metric().blend(form.columns());
        byte[] predictions = stored(pair.scored());
        Table scored =
                Table.of(pair.scored(), withoutHidden(labels, predictions), labels.format());
        byte[] last =
                kept().placedOfTask()
                        .map(placed -> placed
                                .named(new ByteArrayInputStream(stored(pair.submitted()))))
                        .orElseGet(() -> stored(pair.submitted()));
        Table submitted = Table.of(pair.submitted(), last, labels.format());
        double distance = PredictionDistance.of(scored, submitted, how);
        Table hidden = labels.hiddenRows(pair.scored(), predictions);
        double apart = PredictionDistance.apart(hidden, scored, how);
        double shift = PredictionDistance.apart(hidden, submitted, how) - apart;
        return new SubmissionComparison(distance,
                kept().holdout().inTime() ? null : Double.valueOf(apart),
                labels.metric().isByRank() ? null : Double.valueOf(shift));
    }

    private ScoredBlend blend(BlendPredictions members) throws IOException {
        List<String> keys = members.predictions();
        HiddenLabels labels = labels(members.folded() ? OptionalInt.empty() : OptionalInt.of(0));
        GreedyBlend.ValidatedBlend chosen =
                GreedyBlend.of(labels,
                        keys.stream().map(key -> labels.hiddenRows(key, stored(key))).toList(),
                        keys);
        byte[] all = GreedyBlend.predictions(chosen.blend(), member -> stored(keys.get(member)),
                id -> !labels.isOfOtherFold(id));
        Blend blend = kept().placedOfTask()
                .map(placed -> new Blend(chosen.blend().how(), chosen.blend().weights(),
                        placed.format()))
                .orElse(chosen.blend());
        return new ScoredBlend(blend,
                chosen.validation().of(kept(PREDICTIONS, () -> new ByteArrayInputStream(all))),
                submission(labels, all));
    }

    private CombinedFolds combined(List<String> keys) throws IOException {
        SubmissionForm form = kept().form(0);
        HiddenLabels labels = labels(OptionalInt.empty());
        List<Integer> weights = IntStream.range(0, keys.size())
                .mapToObj(fold -> kept().holdout().inTime() && fold > 0 ? 0 : 1)
                .toList();
        boolean areLabels = labels.metric().traits().isOfProgram()
                && MetricProgram.areLabels(
                        keys.stream().map(key -> labels.hiddenRows(key, stored(key))).toList());
        Blend mean = new Blend(areLabels ? How.VOTE : labels.metric().folds(form.columns()),
                weights, labels.format());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(GreedyBlend.predictions(mean, fold -> stored(keys.get(fold)),
                id -> !labels.isOfFold(id)));
        for (String key : keys) {
            labels.ofFolds(new ByteArrayInputStream(stored(key)), all);
        }
        byte[] whole = all.toByteArray();
        String key = kept(PREDICTIONS, () -> new ByteArrayInputStream(whole));
        return new CombinedFolds(labels.validate(labels.hiddenRows(key, whole), key),
                submission(labels, whole));
    }

    /// The task's own rows among those that were predicted.
    private Execution.Submission submission(HiddenLabels labels, byte[] predictions)
            throws IOException {
        byte[] rows = withoutHidden(labels, predictions);
        int count = Table.of("the submission", rows, labels.format()).rows().size();
        byte[] file = kept().placedOfTask().map(placed -> placed.asked(rows)).orElse(rows);
        return new Execution.Submission(kept("submission", () -> new ByteArrayInputStream(file)),
                file.length, count);
    }

    private byte[] withoutHidden(HiddenLabels labels, byte[] predictions) throws IOException {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        labels.withoutHidden(new ByteArrayInputStream(predictions), rows, kept().names());
        return rows.toByteArray();
    }

    private byte[] stored(String key) {
        return store.read(key).orElseThrow(() -> new Invalid("there is no " + key));
    }

    /// @param fold empty for all folds
    private HiddenLabels labels(OptionalInt fold) {
        SubmissionForm form = kept().form(0);
        return kept().labels(form, metric(form), fold);
    }

    private RunMetric metric(SubmissionForm form) {
        return RunMetric.of(context.task(), kept().metricProgram(), runner, form, kept().draws());
    }

    private String folder() {
        return KeptHoldout.folder(step.run());
    }

    private KeptHoldout kept() {
        return new KeptHoldout(store, folder(),
                Objects.requireNonNull(context.facts().holdout(), "the run has no hold-out"));
    }
}
