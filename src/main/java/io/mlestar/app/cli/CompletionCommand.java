package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine;

/// What a shell needs to complete commands and options.
@Command(name = "completion", description = "Print what bash, zsh or fish needs to complete commands and options.", mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish")
    String shell;

    @Override
    public Integer call() {
        CommandLine program = Mlestar.program();
        System.out.print(switch (shell) {
            // It is the same script: in zsh it asks for the completion of bash.
            case "bash", "zsh" -> AutoComplete.bash("mlestar", program);
            case "fish" -> fish(program);
            case String other -> throw new Invalid("there is no completion for \"" + other + "\", but for bash, zsh and fish");
        });
        return 0;
    }

    private static String fish(CommandLine program) {
        return program.getSubcommands().entrySet().stream().filter(command -> !command.getValue().getCommandSpec().usageMessage().hidden())
                .map(command -> line("__fish_use_subcommand", "-f -a " + command.getKey(), command.getValue().getCommandSpec().usageMessage().description())
                        + command.getValue().getCommandSpec().options().stream()
                                .map(option -> line("__fish_seen_subcommand_from " + command.getKey(), "-l " + option.longestName().substring(2)
                                        + (option.arity().max() > 0 ? " -r" : ""), option.description()))
                                .collect(Collectors.joining()))
                .collect(Collectors.joining());
    }

    private static String line(String when, String what, String[] description) {
        return "complete -c mlestar -n '" + when + "' " + what + " -d '" + String.join(" ", description).replace("\\", "\\\\").replace("'", "\\'") + "'\n";
    }
}
