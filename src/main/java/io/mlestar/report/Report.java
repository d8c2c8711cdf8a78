package io.mlestar.report;

import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import io.mlestar.task.Results.FinalResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// One page about a run that has ended: a single file that opens from disk. Everything from models and scripts is escaped.
public final class Report {
    private static final String STYLE = """
            body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
            pre{overflow-x:auto;border:1px solid;padding:.7rem;font-size:13px}table{border-collapse:collapse}
            td,th{border:1px solid;padding:.2rem .6rem;text-align:left}""";

    private Report() {}

    static String html(Records records, RunHeader run) {
        RunState state = RunState.of(records, run, Instant.now());
        Optional<FinalResult> result = records.store().read(Records.key(run.runId(), "result.json"))
                .map(bytes -> Json.read(Json.parse(bytes), FinalResult.class));
        StringBuilder page = new StringBuilder("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>")
                .append(escape(run.runId())).append("</title><style>").append(STYLE).append("</style><h1>").append(escape(run.runId()))
                .append("</h1>");
        if (run.config().model().startsWith("recorded:")) {
            page.append("<p><strong>Recorded answers: no language model was asked; costs are nominal.</strong></p>");
        }
        block(page, "State", state.text());
        result.ifPresent(ended -> {
            table(page, ended);
            block(page, "Where the final script comes from", String.join("\n", ended.lineage()));
        });
        block(page, "Steps", StepTree.of(records, run.runId()));
        result.ifPresent(ended -> block(page, "Final script", ended.finalSolution().content()));
        return page.append("</html>\n").toString();
    }

    private static void table(StringBuilder page, FinalResult result) {
        page.append("<h2>Phases</h2><table><tr><th>phase</th><th>seconds</th><th>USD</th></tr>");
        page.append(result.phases().entrySet().stream()
                .map(phase -> cells(List.of(phase.getKey(), text(phase.getValue().durationSeconds()), text(phase.getValue().costUsd()))))
                .collect(Collectors.joining())).append("</table>");
    }

    private static String cells(List<String> values) {
        return values.stream().map(value -> "<td>" + escape(value) + "</td>").collect(Collectors.joining("", "<tr>", "</tr>"));
    }

    private static String text(Double value) {
        return value == null ? "unknown" : String.format(java.util.Locale.ROOT, "%.4f", value);
    }

    private static void block(StringBuilder page, String heading, String content) {
        page.append("<h2>").append(heading).append("</h2><pre>").append(escape(content)).append("</pre>");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;");
    }

    /// The report of a run that has ended, written when first wanted; empty while it runs.
    public static Optional<byte[]> of(Records records, RunHeader run) {
        if (records.result(StepPath.root(run.runId())).isEmpty()) {
            return Optional.empty();
        }
        String key = Records.key(run.runId(), "report.html");
        return records.store().read(key).or(() -> {
            records.store().create(key, html(records, run).getBytes(StandardCharsets.UTF_8));
            return records.store().read(key);
        });
    }
}
