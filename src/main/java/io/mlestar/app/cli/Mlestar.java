package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.ExitCode;
import io.mlestar.app.program.Serving;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.base.Spelling;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine;

/// The program; see [ExitCode].
@QuarkusMain
@Command(
        name = "mlestar",
        description = "MLE-STAR: searches models, writes, refines and ensembles machine-learning scripts (arXiv:2506.15692).",
        mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
public final class Mlestar {
    /// The commands in the order of the help.
    private static final SequencedMap<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("new", NewCommand::new);
        COMMANDS.put("plan", PlanCommand::new);
        COMMANDS.put("run", RunCommands.RunCommand::new);
        COMMANDS.put("resume", ResumeCommand::new);
        COMMANDS.put("fork", RunCommands.ForkCommand::new);
        COMMANDS.put("serve", ServerCommands.ServeCommand::new);
        COMMANDS.put("status", ReadingCommands.StatusCommand::new);
        COMMANDS.put("show", ReadingCommands.ShowCommand::new);
        COMMANDS.put("tell", SteeringCommands.TellCommand::new);
        COMMANDS.put("extend", SteeringCommands.ExtendCommand::new);
        COMMANDS.put("cancel", SteeringCommands.CancelCommand::new);
        COMMANDS.put("runs", ReadingCommands.RunsCommand::new);
        COMMANDS.put("prune", UpkeepCommands.PruneCommand::new);
        COMMANDS.put("diff", ReadingCommands.DiffCommand::new);
        COMMANDS.put("compare", ReadingCommands.CompareCommand::new);
        COMMANDS.put("report", ReadingCommands.ReportCommand::new);
        COMMANDS.put("grade", GradeCommand::new);
        COMMANDS.put("predict", PredictCommand::new);
        COMMANDS.put("export", ExportCommand::new);
        COMMANDS.put("agents", AgentCommands.AgentsCommand::new);
        COMMANDS.put("agent", AgentCommands.AgentCommand::new);
        COMMANDS.put("job", ServerCommands.JobCommand::new);
        COMMANDS.put("data", DataCommand::new);
        COMMANDS.put("python", PythonCommand::new);
        COMMANDS.put("doctor", UpkeepCommands.DoctorCommand::new);
        COMMANDS.put("completion", CompletionCommand::new);
    }

    /// The program with the command that the arguments begin with, or with all if they begin with
    /// none. Reading the annotations of all commands took a sixth of a native function's start.
    public static CommandLine program(String... arguments) {
        CommandLine program = new CommandLine(new Mlestar());
        program.getCommandSpec().version("mlestar " + ProgramVersion.HERE);
        Supplier<Object> wanted = arguments.length == 0 ? null : COMMANDS.get(arguments[0]);
        (wanted == null ? COMMANDS.values() : List.of(wanted))
                .forEach(command -> program.addSubcommand(command.get()));
        return program;
    }

    public static void main(String... args) {
        try {
            CompositionRoot root = CompositionRoot.begin();
            System.exit(run(args.length == 0 ? asStarted(root.environment()) : args));
        } catch (Invalid wrong) {
            System.exit(ExitCode.failed(wrong));
        }
    }

    /// @return the exit code
    static int run(String... asked) {
        boolean help = asked.length > 0 && asked[0].equals("help");
        if (help && asked.length > 1 && !COMMANDS.containsKey(asked[1])) {
            return ExitCode.said(
                    "there is no command \"" + asked[1] + "\""
                            + Spelling.question(asked[1], COMMANDS.keySet())
                            + "; see mlestar --help",
                    ExitCode.BAD_INPUT);
        }
        // `help run` as `run --help`.
        String[] given = !help
                ? asked
                : Stream.concat(Stream.of(asked).skip(1).limit(1), Stream.of("--help"))
                        .toArray(String[]::new);
        CommandLine program = program(given);
        program.setExecutionExceptionHandler(
                (failure, command, parsed) -> ExitCode.failed(failure));
        program.setParameterExceptionHandler((wrong, arguments) -> {
            WrongArguments said = WrongArguments.of(wrong);
            return ExitCode.said(said.reason() + "; see "
                    + said.command().getCommandSpec().qualifiedName() + " --help",
                    ExitCode.BAD_INPUT);
        });
        if (given.length == 0) {
            System.err.println(program.getUsageMessage(CommandLine.Help.Ansi.OFF));
            return ExitCode.BAD_INPUT;
        }
        Optional<String> empty = WrongArguments.empty(given);
        return empty.isPresent()
                ? ExitCode.said(empty.get(), ExitCode.BAD_INPUT)
                : program.execute(given);
    }

    /// The command of a container that is started without one: a JobSink starts a Job for one step,
    /// Knative Serving a server.
    private static String[] asStarted(Map<String, String> environment) {
        if ("batch".equals(environment.get("K_EXECUTION_MODE"))) {
            return new String[] {"job"};
        }
        return environment.containsKey("K_SERVICE")
                ? new String[] {"serve", "--host", Serving.hostOfPod(environment)}
                : new String[0];
    }

    /// Prints the script by which a shell completes commands and options.
    @Command(name = "completion",
            description = "Print what bash, zsh or fish needs to complete commands and options.",
            mixinStandardHelpOptions = true)
    static final class CompletionCommand implements Callable<Integer> {
        @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish")
        String shell;

        @Override
        public Integer call() {
            CommandLine program = program();
            System.out.print(switch (shell) {
                // It is the same script: in zsh it asks for the completion of bash.
                case "bash", "zsh" -> AutoComplete.bash("mlestar", program);
                case "fish" -> fish(program);
                case String other ->
                    throw new Invalid("there is no completion for \"" + other
                            + "\", but for bash, zsh and fish");
            });
            return 0;
        }

        private static String fish(CommandLine program) {
            return program.getSubcommands()
                    .entrySet()
                    .stream()
                    .filter(command -> !command.getValue().getCommandSpec().usageMessage().hidden())
                    .map(command -> line("__fish_use_subcommand", "-f -a " + command.getKey(),
                            command.getValue().getCommandSpec().usageMessage().description())
                            + command.getValue()
                                    .getCommandSpec()
                                    .options()
                                    .stream()
                                    .map(option -> line(
                                            "__fish_seen_subcommand_from " + command.getKey(),
                                            "-l " + option.longestName().substring(2)
                                                    + (option.arity().max() > 0 ? " -r" : ""),
                                            option.description()))
                                    .collect(Collectors.joining()))
                    .collect(Collectors.joining());
        }

        private static String line(String when, String what, String[] description) {
            return "complete -c mlestar -n '" + when + "' " + what + " -d '"
                    + String.join(" ", description).replace("\\", "\\\\").replace("'", "\\'")
                    + "'\n";
        }
    }
}
