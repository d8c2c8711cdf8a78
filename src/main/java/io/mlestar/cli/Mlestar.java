package io.mlestar.cli;

import io.mlestar.store.StoreUnavailable;
import io.mlestar.task.Invalid;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The program. Exit code 0: done; 1: the run failed; 2: bad usage or bad input.
@QuarkusMain
@Command(
        name = "mlestar",
        description = "MLE-STAR: searches models, writes, refines and ensembles machine-learning scripts (arXiv:2506.15692).",
        mixinStandardHelpOptions = true,
        version = "mlestar 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class, ResumeCommand.class, ForkCommand.class, ServeCommand.class, StatusCommand.class, ShowCommand.class, CancelCommand.class,
            RunsCommand.class, DiffCommand.class, ReportCommand.class, GradeCommand.class,
            AgentsCommand.class, AgentCommand.class, JobCommand.class, DataCommand.class, DoctorCommand.class
        })
public final class Mlestar {
    static final int FAILED = 1;
    static final int BAD_INPUT = 2;

    public static void main(String... args) {
        // Said before anybody logs: commands without the server use libraries that do.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        CommandLine program = new CommandLine(new Mlestar());
        program.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof Invalid) {
                command.getErr().println("mlestar: " + failure.getMessage());
                return BAD_INPUT;
            }
            if (failure instanceof StoreUnavailable) {
                command.getErr().println("mlestar: " + failure.getMessage());
                return FAILED;
            }
            throw failure;
        });
        program.setParameterExceptionHandler((wrong, arguments) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println("mlestar: " + wrong.getMessage() + "; see " + command.getCommandSpec().qualifiedName() + " --help");
            return BAD_INPUT;
        });
        String[] given = args.length == 0 ? asStarted(System.getenv()) : args;
        if (given.length == 0) {
            program.usage(System.err);
            System.exit(BAD_INPUT);
        }
        System.exit(program.execute(given));
    }

    /// What to do where nobody says it: a JobSink starts a Job for one step, Knative Serving starts a server.
    private static String[] asStarted(Map<String, String> environment) {
        if ("batch".equals(environment.get("K_EXECUTION_MODE"))) {
            return new String[] {"job"};
        }
        return environment.containsKey("K_SERVICE") ? new String[] {"serve", "--host", "0.0.0.0"} : new String[0];
    }
}
