package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.Doctor;
import io.mlestar.app.program.ExitCode;
import io.mlestar.app.program.Doctor.Finding;
import io.mlestar.app.program.upkeep.Prune;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands that look after this machine and a store.
final class UpkeepCommands {
    private UpkeepCommands() {}

    static JsonNode json(List<Finding> findings) {
        ArrayNode all = Json.object().putArray("findings");
        findings.forEach(finding -> all.addObject()
                .put("what", finding.what())
                .put("verdict", finding.verdict().name().toLowerCase(Locale.ROOT))
                .put("found", finding.found())
                .put("todo", finding.todo()));
        return all;
    }

    /// Exit code 0: nothing is wrong; 1: something is.
    @Command(name = "doctor",
            description = "Look at the settings, store, model, search, Python, sandbox, broker and GPU, and say what is wrong.",
            mixinStandardHelpOptions = true)
    static final class DoctorCommand extends StoreCommand {
        @Option(names = "--model", paramLabel = "PROVIDER:NAME",
                description = "the model to look at")
        @Nullable
        String model;

        @Option(names = "--ask", description = "ask the model a tiny question")
        boolean ask;

        @Override
        public Integer call() {
            CompositionRoot root = CompositionRoot.ofProcess();
            List<Finding> findings =
                    new Doctor(store.address, root.config(SettingsOption.ofModel(model)), ask, root)
                            .findings();
            boolean wrong = findings.stream()
                    .anyMatch(finding -> finding.verdict() == Finding.Verdict.ERROR);
            if (json) {
                System.out.println(
                        Json.text(Json.object().put("ok", !wrong).set("findings", json(findings))));
            } else {
                findings.forEach(finding -> System.out.println(finding.line()));
            }
            return wrong ? ExitCode.FAILED : 0;
        }
    }

    /// Lists what it would remove; removes only with `--yes`.
    @Command(name = "prune",
            description = "Remove runs that ended long ago, or those that are named.",
            mixinStandardHelpOptions = true)
    static final class PruneCommand extends StoreCommand {
        private static final Pattern AGE = Pattern.compile("([0-9]{1,5})([hdw])");

        @Parameters(paramLabel = "RUN", arity = "0..*",
                description = "these, ended or not, in place of the old ones")
        List<String> runs = List.of();

        @Option(names = "--older-than", paramLabel = "AGE",
                description = "those that ended so long ago: hours, days or weeks, as 12h, 30d or 8w")
        @Nullable
        String age;

        @Option(names = "--yes", description = "remove them; else they are only listed")
        boolean yes;

        @Override
        public Integer call() {
            if (runs.isEmpty() == (age == null)) {
                throw new Invalid("say either --older-than AGE or which RUNs");
            }
            Duration longest = age == null ? Duration.ZERO : duration(age);
            Prune prune = new Prune(store.toRead());
            List<String> chosen = runs.isEmpty()
                    ? prune.endedBefore(Instant.now().minus(longest))
                    : prune.named(runs);
            ObjectNode all = Json.object().put("removed", yes);
            ArrayNode each = all.putArray("runs");
            for (String run : chosen) {
                boolean open = prune.isOpen(run);
                int objects = yes ? prune.remove(run) : prune.objects(run);
                each.addObject().put("run_id", run).put("ended", !open).put("objects", objects);
                if (!json) {
                    System.out.println((yes ? "removed run " : "would remove run ") + run
                            + (open ? ", which has not ended" : "") + ": " + objects + " objects");
                }
            }
            String done = yes ? chosen.size() + " runs are gone" : "nothing was removed; add --yes";
            return print(all, chosen.isEmpty() ? "there is nothing to remove" : done);
        }

        private static Duration duration(String age) {
            Matcher matcher = AGE.matcher(age);
            if (!matcher.matches()) {
                throw new Invalid(
                        "--older-than must be hours, days or weeks, as 12h, 30d or 8w, but is \""
                                + age + "\"");
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "h" -> Duration.ofHours(number);
                case "d" -> Duration.ofDays(number);
                case String _ -> Duration.ofDays(number * 7);
            };
        }
    }
}
