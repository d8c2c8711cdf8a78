package io.mlestar.core.agent;

import io.mlestar.core.step.MachineFacts.Gpu;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.Search;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The machine that runs the scripts, in the system prompt: names, versions and numbers, one fact a
/// line. Equal for all agents of a run.
record MachineSection(MachineFacts facts, Search search, LimitSettings limits) {
    private static final int SHOWN = 40;
    /// The changes in libraries that models remember in their old form: the library, a pattern of
    /// its versions, and what is so there. CatBoost's is by its documents, the others were tried.
    private static final String CHANGES = Prompts.resourceText("/library-changes.txt");

    /// The lines of the section; where the survey found nothing, what is known of the hardware.
    static String of(RunContext context) {
        MachineFacts facts = context.facts().machine();
        return facts.isKnown() ? new MachineSection(facts, context.search(), context.limits()).text()
                : context.hardware();
    }

    /// The debugger's instruction on libraries that a script may lack.
    static String instead(RunContext context) {
        MachineFacts facts = context.facts().machine();
        String rule = Boolean.TRUE.equals(facts.network()) ? "Install nothing from within the script."
                : "Nothing can be installed or downloaded where the script runs.";
        return rule + " If a library is missing, replace it by one that is there"
                + (facts.libraries().isEmpty() ? "." : ": " + String.join(", ", facts.libraries().keySet()) + ".");
    }

    /// The paper's words on PyTorch and CUDA, without those on what the machine is known to lack.
    static String frameworks(RunContext context) {
        MachineFacts facts = context.facts().machine();
        return (facts.missing().contains("torch") ? "" : "Use PyTorch rather than TensorFlow. ")
                + (facts.isKnown() && facts.gpus().isEmpty() ? "" : "You may use CUDA if you need it. ");
    }

    private String text() {
        List<String> lines = new ArrayList<>();
        lines.add("Scripts run here, as one of them saw it:");
        lines.add("");
        add(lines, "Python", facts.python(), facts.system() == null ? "" : " on " + facts.system());
        if (facts.processors() != null) {
            lines.add("- Processors: " + facts.processors() + threads(facts.processors()));
        }
        add(lines, "Memory", gigabytes(facts.memoryBytes()),
                atOnce() > 1 ? ", shared by the scripts that run beside each other" : "");
        add(lines, "Free disk", gigabytes(facts.freeDiskBytes()), "");
        gpus(lines);
        if (facts.network() != null) {
            lines.add(Prompts.part(facts.network() ? "network" : "no-network"));
        }
        lines.add("- Time: a script is ended after " + limits.solutionTimeoutSeconds()
                + " seconds, or earlier if the run has less time left."
                + (limits.scriptTimeoutSeconds() == null ? "" : " Up to half of that may be used where it helps.")
                + (atOnce() > 1 ? " Beside others it may take twice as long as alone." : ""));
        lines.add("");
        add(lines, "Installed", versions(facts.libraries(), Integer.MAX_VALUE), "");
        CHANGES.lines().map(line -> line.split(" ", 3))
                .filter(change -> facts.libraries().getOrDefault(change[0], "").matches(change[1]))
                .forEach(change -> add(lines, "In this " + change[0], change[2], ""));
        add(lines, "Also installed", versions(facts.others(), SHOWN), isEachShown() ? "" : ", and more");
        add(lines, "Not installed, do not import", joined(facts.missing()), "");
        add(lines, "Pretrained weights that lie ready, loaded by name as from their hub; there are no others",
                joined(facts.weights()), "");
        return String.join("\n", lines);
    }

    private boolean isEachShown() {
        return facts.others().size() <= SHOWN && (facts.othersLeftOut() == null || facts.othersLeftOut() == 0);
    }

    /// A fact that is not known gets no line.
    private static void add(List<String> lines, String name, @Nullable String value, String more) {
        if (value != null && !value.isEmpty()) {
            lines.add("- " + name + ": " + value + more);
        }
    }

    private static String joined(List<String> names) {
        return names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    }

    private static String versions(Map<String, String> libraries, int most) {
        return libraries.entrySet().stream().limit(most)
                .map(library -> library.getKey() + (library.getValue().equals("?") ? "" : " " + library.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String gigabytes(@Nullable Long bytes) {
        return bytes == null ? null : MachineFacts.gigabytes(bytes);
    }

    /// The most scripts that ever run beside each other in this run.
    private int atOnce() {
        int slots = facts.scriptsAtOnce() == null ? 1 : facts.scriptsAtOnce();
        return Math.min(slots, Math.max(search.numRetrievedModels(), search.numParallelSolutions()));
    }

    private String threads(int processors) {
        if (facts.scriptsAtOnce() == null) {
            return "";
        }
        if (atOnce() == 1) {
            return ", all for the one script that runs";
        }
        return String.format(Locale.ROOT,
                Prompts.part("machine-threads"),
                atOnce(), Math.max(1, processors / atOnce()));
    }

    private void gpus(List<String> lines) {
        if (facts.gpus().isEmpty()) {
            lines.add("- GPU: none");
        }
        for (Gpu gpu : facts.gpus()) {
            lines.add("- GPU: " + gpu.inWords() + alone());
        }
    }

    private String alone() {
        if (facts.scriptsPerGpu() == null) {
            return "";
        }
        int scripts = Math.min(atOnce(), facts.scriptsPerGpu());
        return scripts == 1 ? "; a script has it for itself" : "; up to " + scripts + " scripts share it";
    }
}
