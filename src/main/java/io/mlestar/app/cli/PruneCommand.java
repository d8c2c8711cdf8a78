package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.program.Prune;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Removes old runs. Says what it would do, unless told to do it.
@Command(name = "prune", description = "Remove runs that ended long ago, or those that are named.", mixinStandardHelpOptions = true)
final class PruneCommand implements Callable<Integer> {
    private static final Pattern AGE = Pattern.compile("([0-9]{1,5})([hdw])");

    @Parameters(paramLabel = "RUN", arity = "0..*", description = "these, ended or not, in place of the old ones")
    List<String> runs = List.of();

    @Option(names = "--older-than", paramLabel = "AGE", description = "those that ended so long ago: hours, days or weeks, as 12h, 30d or 8w")
    @Nullable
    String age;

    @Option(names = "--yes", description = "remove them; else they are only listed")
    boolean yes;

    @Option(names = "--json", description = "print the runs as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        if (runs.isEmpty() == (age == null)) {
            throw new Invalid("say either --older-than AGE or which RUNs");
        }
        Duration longest = age == null ? Duration.ZERO : duration(age);
        Prune prune = new Prune(store.toRead());
        List<String> chosen = runs.isEmpty() ? prune.endedBefore(Instant.now().minus(longest)) : prune.named(runs);
        if (json) {
            ObjectNode all = Json.object().put("removed", yes);
            ArrayNode each = all.putArray("runs");
            for (String run : chosen) {
                boolean ended = !prune.isOpen(run);
                each.addObject().put("run_id", run).put("ended", ended).put("objects", yes ? prune.remove(run) : prune.objects(run));
            }
            System.out.println(Json.text(all));
            return 0;
        }
        for (String run : chosen) {
            String open = prune.isOpen(run) ? ", which has not ended" : "";
            System.out.println(yes ? "removed run " + run + open + ": " + prune.remove(run) + " objects"
                    : "would remove run " + run + open + ": " + prune.objects(run) + " objects");
        }
        System.out.println(chosen.isEmpty() ? "there is nothing to remove" : yes ? chosen.size() + " runs are gone" : "nothing was removed; add --yes");
        return 0;
    }

    static Duration duration(String age) {
        Matcher matcher = AGE.matcher(age);
        if (!matcher.matches()) {
            throw new Invalid("--older-than must be hours, days or weeks, as 12h, 30d or 8w, but is \"" + age + "\"");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            case String _ -> Duration.ofDays(number * 7);
        };
    }
}
