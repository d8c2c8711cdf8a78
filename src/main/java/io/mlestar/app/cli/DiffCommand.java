package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.console.Terminal;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.show.view.StepTexts;
import io.mlestar.show.view.StepView;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What differs between two steps of a run.
@Command(name = "diff", description = "Show what differs between two steps: scripts, outputs, prompts, answers, whatever both have.",
        mixinStandardHelpOptions = true)
final class DiffCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RUN")
    String run;

    @Parameters(index = "1", paramLabel = "STEP", description = "path of a step, e.g. phase1/candidate0/evaluation/script")
    String before;

    @Parameters(index = "2", paramLabel = "STEP")
    String after;

    @Option(names = "--json", description = "print the lines as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        Records records = store.open(run).records();
        List<String> lines = texts(records, before).differences(texts(records, after));
        if (json) {
            ObjectNode all = Json.object().put("run_id", run).put("before", before).put("after", after);
            all.set("lines", Json.tree(lines));
            System.out.println(Json.text(all));
            return 0;
        }
        boolean colours = Ansi.AUTO.enabled();
        lines.stream().map(Controls::shown).forEach(line -> Terminal.coloured(colours ? painted(line) : line));
        return 0;
    }

    private StepTexts texts(Records records, String step) {
        return StepTexts.of(StepView.of(records.known(StepArgument.known(records, run, step)).orElseThrow()));
    }

    private static String painted(String line) {
        String code = line.startsWith("---") || line.startsWith("+++") ? "1" : line.startsWith("@@") ? "36" : line.startsWith("+") ? "32"
                : line.startsWith("-") ? "31" : "";
        return code.isEmpty() ? line : "\033[" + code + "m" + line + "\033[0m";
    }
}
