package io.mlestar.show.report;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.quarkus.qute.Engine;
import io.quarkus.qute.EngineBuilder;
import io.quarkus.qute.RawString;
import io.quarkus.qute.ReflectionValueResolver;
import io.quarkus.qute.Template;
import io.quarkus.qute.UserTagSectionHelper;
import io.quarkus.qute.ValueResolver;
import io.quarkus.qute.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// One page about a run: a single file that opens from disk. Everything from models, scripts and
/// users is escaped by the template and bounded by the [ReportModel].
public final class Report {
    private static final Variant HTML = Variant.forContentType(Variant.TEXT_HTML);
    private static final RawString STYLE =
            new RawString(
                    resource("META-INF/resources/figures.css") + resource("report/report.css"));
    private static final List<String> TAGS = List.of("improvements", "sides", "solutions");
    private static final Template TEMPLATE = template(new ReflectionValueResolver());

    private Report() {}

    /// The page with what the store holds now, a grade included.
    public static String html(Records records, RunHeader run, Instant now) {
        return html(TEMPLATE, ReportBuilder.build(records, run, now));
    }

    static String html(Template template, ReportModel model) {
        return template.data("report", model).data("style", STYLE).render();
    }

    /// The stored report of a run that has ended, written on first use; empty while it runs.
    public static Optional<byte[]> of(Records records, RunHeader run) {
        if (!records.hasEnded(run.runId())) {
            return Optional.empty();
        }
        String key = Records.key(run.runId(), "report.html");
        return records.store().read(key).or(() -> {
            records.store()
                    .create(key,
                            html(records, run, Instant.now()).getBytes(StandardCharsets.UTF_8));
            return records.store().read(key);
        });
    }

    /// Like [#of], but made anew if the run has a grade, which may be newer than the stored report.
    public static Optional<byte[]> graded(Records records, RunHeader run) {
        return records.store().read(Records.key(run.runId(), Grade.FILE)).isPresent()
                ? Optional.of(html(records, run, Instant.now()).getBytes(StandardCharsets.UTF_8))
                : of(records, run);
    }

    /// Builds its own engine, so that commands without a server can use it.
    ///
    /// @param fields reads the records of a page
    static Template template(ValueResolver fields) {
        EngineBuilder builder = Engine.builder()
                .addDefaults()
                .addValueResolver(fields)
                .addResultMapper(new ShownText())
                .strictRendering(true);
        TAGS.forEach(tag -> builder
                .addSectionHelper(new UserTagSectionHelper.Factory(tag, "tags/" + tag + ".html")));
        Engine engine = builder.build();
        TAGS.forEach(tag -> engine.putTemplate("tags/" + tag + ".html",
                engine.parse(resource("templates/tags/" + tag + ".html"), HTML, tag)));
        return engine.parse(resource("templates/report.html"), HTML, "report.html");
    }

    private static String resource(String name) {
        try (InputStream stream =
                Objects.requireNonNull(Report.class.getClassLoader().getResourceAsStream(name),
                        name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
