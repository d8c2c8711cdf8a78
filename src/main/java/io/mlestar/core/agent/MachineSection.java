package io.mlestar.core.agent;

import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.Search;
import java.util.HashMap;
import java.util.List;
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
        return facts.isKnown()
                ? new MachineSection(facts, context.search(), context.limits()).text()
                : context.hardware();
    }

    /// The debugger's instruction on libraries that a script may lack.
    static String instead(RunContext context) {
        MachineFacts facts = context.facts().machine();
        String rule = Boolean.TRUE.equals(facts.network())
                ? "Install nothing from within the script."
                : "Nothing can be installed or downloaded where the script runs.";
        return rule + " If a library is missing, replace it by one that is there"
                + (facts.libraries().isEmpty()
                        ? "."
                        : ": " + String.join(", ", facts.libraries().keySet()) + ".");
    }

    /// The paper's words on PyTorch and CUDA, without those on what the machine is known to lack.
    static String frameworks(RunContext context) {
        MachineFacts facts = context.facts().machine();
        return (facts.missing().contains("torch") ? "" : "Use PyTorch rather than TensorFlow. ")
                + (facts.isKnown() && facts.gpus().isEmpty()
                        ? ""
                        : "You may use CUDA if you need it. ");
    }

    private String text() {
        Integer processors = facts.processors();
        Boolean network = facts.network();
        boolean isShared = facts.scriptsAtOnce() != null;
        Map<String, String> values = new HashMap<>();
        values.put("python", given(facts.python()));
        values.put("system", given(facts.system()));
        values.put("processors", given(processors));
        values.put("alone", PromptTemplate.when(isShared && atOnce() == 1));
        values.put("at_once", Integer.toString(atOnce()));
        values.put("threads", processors == null || !isShared || atOnce() == 1
                ? ""
                : Integer.toString(Math.max(1, processors / atOnce())));
        values.put("beside", PromptTemplate.when(atOnce() > 1));
        values.put("memory", gigabytes(facts.memoryBytes()));
        values.put("disk", gigabytes(facts.freeDiskBytes()));
        values.put("gpus", gpus());
        values.put("online", PromptTemplate.when(Boolean.TRUE.equals(network)));
        values.put("offline", PromptTemplate.when(Boolean.FALSE.equals(network)));
        values.put("seconds", Integer.toString(limits.solutionTimeoutSeconds()));
        values.put("limited", given(limits.scriptTimeoutSeconds()));
        values.put("libraries", versions(facts.libraries(), Integer.MAX_VALUE));
        values.put("changes", changes());
        values.put("others", versions(facts.others(), SHOWN));
        values.put("more", PromptTemplate.when(!isEachShown()));
        values.put("missing", joined(facts.missing()));
        values.put("weights", joined(facts.weights()));
        return Prompts.part("machine", values);
    }

    private static String given(@Nullable Object fact) {
        return fact == null ? "" : fact.toString();
    }

    private String changes() {
        return CHANGES.lines()
                .map(line -> line.split(" ", 3))
                .filter(change -> facts.libraries().getOrDefault(change[0], "").matches(change[1]))
                .map(change -> "- In this " + change[0] + ": " + change[2])
                .collect(Collectors.joining("\n"));
    }

    private boolean isEachShown() {
        return facts.others().size() <= SHOWN
                && (facts.othersLeftOut() == null || facts.othersLeftOut() == 0);
    }

    private static String joined(List<String> names) {
        return names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    }

    private static String versions(Map<String, String> libraries, int most) {
        return libraries.entrySet()
                .stream()
                .limit(most)
                .map(library -> library.getKey()
                        + (library.getValue().equals("?") ? "" : " " + library.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String gigabytes(@Nullable Long bytes) {
        return bytes == null ? "" : MachineFacts.gigabytes(bytes);
    }

    /// The most scripts that ever run beside each other in this run.
    private int atOnce() {
        return Math.min(facts.slots(),
                Math.max(search.numRetrievedModels(), search.numParallelSolutions()));
    }

    private String gpus() {
        if (facts.gpus().isEmpty()) {
            return "- GPU: none";
        }
        return facts.gpus()
                .stream()
                .map(gpu -> "- GPU: " + gpu.inWords() + alone())
                .collect(Collectors.joining("\n"));
    }

    private String alone() {
        if (facts.scriptsPerGpu() == null) {
            return "";
        }
        int scripts = Math.min(atOnce(), facts.scriptsPerGpu());
        return scripts == 1
                ? "; a script has it for itself"
                : "; up to " + scripts + " scripts share it";
    }
}
