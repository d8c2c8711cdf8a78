package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.program.Checkup;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.Doctor;
import io.mlestar.app.program.ExitCode;
import io.mlestar.app.program.Finding;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Says what a run would find here. Exit code 0: nothing is wrong; 1: something is.
@Command(name = "doctor", description = "Look at the store, model, search, Python, sandbox, broker and GPU, and say what is wrong.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    @Option(names = "--model", paramLabel = "PROVIDER:NAME", description = "the model to look at")
    @Nullable
    String model;

    @Option(names = "--ask", description = "ask the model a tiny question")
    boolean ask;

    @Option(names = "--check", description = "read every record of the store and name what is damaged; look at nothing else")
    boolean check;

    @Option(names = "--json", description = "print the findings as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        if (check) {
            return check();
        }
        ObjectNode explicit = Json.object();
        if (model != null) {
            explicit.put("model", model);
        }
        CompositionRoot root = CompositionRoot.ofProcess();
        List<Finding> findings = new Doctor(store.address, root.config(explicit), ask, root).findings();
        boolean wrong = findings.stream().anyMatch(finding -> finding.verdict() == Finding.Verdict.WRONG);
        if (json) {
            ObjectNode all = Json.object().put("ok", !wrong);
            findings.forEach(finding -> all.withArray("findings").addObject().put("what", finding.what())
                    .put("verdict", finding.verdict().name().toLowerCase(java.util.Locale.ROOT))
                    .put("found", finding.found()).put("todo", finding.todo()));
            System.out.println(Json.text(all));
        } else {
            findings.forEach(finding -> System.out.println(finding.line()));
        }
        return wrong ? ExitCode.FAILED : 0;
    }

    private int check() {
        Records records = new Records(store.toRead());
        if (records.runs().isEmpty()) {
            throw new Invalid("there are no runs in the store " + store.address);
        }
        ObjectNode all = Json.object();
        ArrayNode damaged = all.putArray("damaged");
        ArrayNode newer = all.putArray("newer");
        int read = new Checkup(records.store(), damage -> {
            (damage.isNewer() ? newer : damaged).addObject().put("key", damage.key()).put("reason", damage.reason());
            if (!json && (!damage.isNewer() || newer.size() == 1)) {
                System.out.println(damage.isNewer() ? "newer    " + damage.reason() : "damaged  " + damage.key() + ": " + damage.reason());
            }
        }).all();
        System.out.println(json ? Json.text(all.put("read", read).put("ok", damaged.isEmpty()))
                : "read " + read + " objects of " + store.address + ": " + (newer.isEmpty() ? "" : newer.size() + " written by a newer program, ")
                        + (damaged.isEmpty() ? "none is damaged" : damaged.size() + " damaged; put whole copies in their places, or begin other runs"));
        return damaged.isEmpty() ? 0 : ExitCode.FAILED;
    }
}
