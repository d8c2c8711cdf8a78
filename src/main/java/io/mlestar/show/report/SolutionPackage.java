package io.mlestar.show.report;

import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.phase.BlendScript;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Facts;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.show.render.Formats;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A run's final solution as a folder that needs nothing of this program.
public final class SolutionPackage {
    private static final Pattern PATCH = Pattern.compile("\\d+\\.\\d+\\.\\d+");
    private static final String MEMBERS = "members";

    private SolutionPackage() {}

    /// The files, by their paths.
    ///
    /// @param result of the run
    public static SequencedMap<String, String> of(
            Records records,
            RunHeader run,
            FinalResult result) {
        Facts facts = RunContexts.facts(records, run.runId()).orElse(Facts.NONE);
        String script = result.finalSolution().content();
        Optional<BlendScript.SplitBlend> blend = BlendScript.parts(script, MEMBERS);
        SequencedMap<String, String> members =
                blend.map(BlendScript.SplitBlend::members).orElseGet(LinkedHashMap::new);
        PinnedLibraries libraries =
                PinnedLibraries.of(facts.machine(),
                        Stream.concat(Stream.of(script), members.values().stream()));
        String version = Objects.requireNonNullElse(facts.machine().python(), "");
        String python = PATCH.matcher(version).matches() ? version : "3";
        SequencedMap<String, String> files =
                new LinkedHashMap<>(Map.of("solution.py",
                        blend.map(BlendScript.SplitBlend::program).orElse(script)));
        files.putAll(members);
        files.put("requirements.txt", libraries.requirements());
        files.put("constraints.txt", libraries
                .constraints(Objects.requireNonNullElse(facts.machine().othersLeftOut(), 0)));
        files.put("Dockerfile", dockerfile(python, !members.isEmpty()));
        files.put(".dockerignore", "input\nfinal\n");
        files.put("README.md", readme(result, python, members.size()));
        return files;
    }

    /// The slim image would not do: it lacks system libraries that wheels take for granted, such as
    /// OpenMP.
    private static String dockerfile(String python, boolean isBlend) {
        return String.format(Locale.ROOT, """
                FROM python:%s
                WORKDIR /solution
                COPY requirements.txt constraints.txt ./
                RUN pip install --no-cache-dir -r requirements.txt -c constraints.txt
                COPY solution.py ./
                %sRUN useradd --uid 1000 solution && mkdir input final && chown solution . final
                USER solution
                CMD ["python3", "solution.py"]
                """, python, isBlend ? "COPY " + MEMBERS + " " + MEMBERS + "\n" : "");
    }

    private static String readme(FinalResult result, String python, int members) {
        return String.format(Locale.ROOT,
                """
                        # %s

                        `solution.py` trains on the data in `./input`, and writes what it predicts for their test table to
                        `./final/submission.csv`. %sWhat it scored, what it was made of and what the data are: `mlestar report %s`.

                        ## Run it

                        Put the task's data into a folder `input`, with the names that they had. To predict other rows, put them in the place
                        of the test table, and of the sample submission if there is one, in the same form.

                        With Python %s:

                        ```sh
                        python3 -m venv .venv
                        .venv/bin/pip install -r requirements.txt -c constraints.txt
                        mkdir -p final
                        .venv/bin/python solution.py
                        ```

                        In a container, whose user has the number 1000 and has to be able to write to `final`:

                        ```sh
                        docker build -t solution .
                        mkdir -p final
                        docker run --rm --network none -v "$PWD/input:/solution/input:ro" -v "$PWD/final:/solution/final" solution
                        ```
                        """,
                Formats.markdown(result.task().competitionId(), 200),
                members == 0
                        ? ""
                        : "It runs the " + members + " scripts in `" + MEMBERS
                                + "`, as they\nwere written, and blends what they predict by the weights at its "
                                + "head. ",
                result.runId(), python);
    }
}
