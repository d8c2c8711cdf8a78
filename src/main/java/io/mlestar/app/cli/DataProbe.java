package io.mlestar.app.cli;

import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.EvaluationResult;
import java.nio.file.Path;
import java.time.InstantSource;

/// Lets a program of ours look at data as in a run: shut in, with a limit of time.
final class DataProbe {
    static final int SECONDS = 60;

    static final String NOTHING = "the script that looks at the data found nothing out";

    private DataProbe() {}

    /// @return what it printed
    /// @throws Invalid if it printed nothing
    static String printed(CompositionRoot root, Path folder, String script) {
        Execution ran = new ScriptRunner(root.sandbox(), InstantSource.system())
                .runAlone(new RunScript(script, RunScript.Kind.DATA_CARD, SECONDS), folder);
        EvaluationResult result = ran.evaluation();
        if (result.stdout().isBlank()) {
            throw new Invalid(NOTHING + ": " + result.stderr().strip());
        }
        return result.stdout();
    }
}
