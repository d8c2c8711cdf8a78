package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Makes the Python of the scripts, by the script that lies with the locks of its libraries.
@Command(name = "python",
        description = "Make the Python that scripts run with, beside the program; all its libraries are locked.",
        mixinStandardHelpOptions = true)
final class PythonCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SET", arity = "0..1", defaultValue = "small",
            description = "small (tables, images; the default), or full (deep learning, text and sound, too; cpu or gpu names the kind)")
    String set;

    @Override
    public Integer call() throws InterruptedException {
        String script = CompositionRoot.ofProcess().environment().get("MLE_STAR_MAKE_PYTHON");
        if (script == null) {
            throw new Invalid(
                    "the program was not started by the launcher of an archive or a checkout, which has the locks of the libraries;"
                            + " MLE_STAR_PYTHON names another Python");
        }
        try {
            return new ProcessBuilder(script, set).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new Invalid("cannot start " + script + ": " + Invalid.reason(e));
        }
    }
}
