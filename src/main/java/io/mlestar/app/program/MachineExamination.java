package io.mlestar.app.program;

import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.app.program.Doctor.Examination;
import io.mlestar.app.program.Doctor.Finding;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.survey.MachineReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.DataModality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Looks at the machine as the survey of a run does, by the same program in the same sandbox.
///
/// @param needed libraries that are reported if they are missing
record MachineExamination(CompositionRoot root, Predicate<String> needed) implements Examination {
    private static final int PROBE_SECONDS = 60;
    private static final int MOST_NAMED = 6;

    /// Libraries without which most scripts for such data crash.
    static Set<String> neededFor(DataModality modality) {
        Set<String> needed = new HashSet<>(Set.of("numpy", "pandas", "scikit-learn", "lightgbm"));
        needed.addAll(switch (modality) {
            case TABULAR -> Set.of();
            case IMAGE -> Set.of("torch", "torchvision", "timm", "pillow");
            case TEXT -> Set.of("torch", "transformers");
            case AUDIO -> Set.of("torch", "torchaudio", "librosa", "soundfile");
            case MIXED -> Set.of("torch");
        });
        return needed;
    }

    @Override
    public List<Finding> findings() throws IOException {
        Sandbox sandbox = root.sandbox();
        return findings(probed(sandbox), sandbox.slots());
    }

    private static MachineFacts probed(Sandbox sandbox) throws IOException {
        Path nothing = Files.createTempDirectory("mlestar-doctor-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try {
            RunScript probe =
                    new RunScript(SurveyScripts.MACHINE, RunScript.Kind.MACHINE, PROBE_SECONDS);
            return MachineReading.read(
                    new ScriptRunner(sandbox, InstantSource.system()).runAlone(probe, nothing)
                            .evaluation()
                            .stdout());
        } finally {
            Files.delete(nothing);
        }
    }

    private List<Finding> findings(MachineFacts facts, int slots) {
        List<Finding> findings = new ArrayList<>();
        findings.add(
                facts.isKnown()
                        ? Finding.ok("machine", String.join(", ", facts.inWords()))
                        : Finding.warning("machine", facts.warning().orElseThrow(), ""));
        findings.add(
                Finding.ok("scripts", slots + " at once; MLE_STAR_SCRIPTS_AT_ONCE changes that"));
        findings.add(Finding.ok("gpu", facts.gpus().isEmpty()
                ? "none; scripts use the processors"
                : facts.gpus()
                        .stream()
                        .map(MachineFacts.Gpu::inWords)
                        .collect(Collectors.joining("; "))));
        if (facts.isKnown()) {
            String there = facts.libraries().isEmpty()
                    ? "none"
                    : facts.libraries()
                            .entrySet()
                            .stream()
                            .map(library -> library.getKey() + " " + library.getValue())
                            .collect(Collectors.joining(", "));
            List<String> missing = facts.missing().stream().filter(needed).toList();
            String more = missing.size() <= MOST_NAMED
                    ? ""
                    : " and " + (missing.size() - MOST_NAMED) + " others";
            findings.add(missing.isEmpty()
                    ? Finding.ok("libraries", there)
                    : Finding.warning("libraries", there, "scripts that use "
                            + missing.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                            + more
                            + " will crash; mlestar python full installs all of them"));
        }
        if (!facts.weights().isEmpty()) {
            findings.add(Finding.ok("weights", String.join(", ", facts.weights())));
        }
        return findings;
    }
}
