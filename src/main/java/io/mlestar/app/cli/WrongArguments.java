package io.mlestar.app.cli;

import io.mlestar.core.base.Spelling;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// An error in the arguments of a command: names the argument, says what it is and what it should
/// be.
///
/// @param command whose help says more
record WrongArguments(CommandLine command, String reason) {
    /// An unknown word first, since it may be why another one is missing.
    static WrongArguments of(CommandLine.ParameterException wrong) {
        CommandLine asked = wrong.getCommandLine();
        for (CommandLine command : Stream
                .iterate(asked, above -> above != null, CommandLine::getParent)
                .toList()) {
            List<String> unknown =
                    wrong instanceof CommandLine.UnmatchedArgumentException unmatched
                            && command.equals(asked)
                                    ? unmatched.getUnmatched()
                                    : command.getUnmatchedArguments();
            if (!unknown.isEmpty()) {
                return new WrongArguments(command,
                        unknown(command, unknown.getFirst().replaceFirst("=.*$", "")));
            }
        }
        return new WrongArguments(asked, switch (wrong) {
            case CommandLine.MissingParameterException missing when missing.getMissing()
                    .getFirst() instanceof OptionSpec option && isWithoutValue(missing) ->
                name(option) + " needs a value, " + option.paramLabel();
            case CommandLine.MissingParameterException missing -> asked.getCommandName() + " needs "
                    + missing.getMissing()
                            .stream()
                            .flatMap(argument -> withNext(asked, argument))
                            .map(WrongArguments::use)
                            .distinct()
                            .collect(Collectors.joining(" and "));
            case CommandLine.OverwrittenOptionException twice ->
                name(twice.getOverwritten()) + " is given twice";
            default -> wrong.getArgSpec() == null || wrong.getValue() == null
                    ? String.valueOf(wrong.getMessage())
                    : name(wrong.getArgSpec()) + " must be " + kind(wrong.getArgSpec())
                            + ", but is \""
                            + wrong.getValue() + "\"";
        });
    }

    /// Finds an empty argument: no command has a use for one, and mostly a variable of the shell is
    /// not set.
    static Optional<String> empty(String... arguments) {
        return IntStream.range(0, arguments.length)
                .filter(i -> arguments[i].isBlank() || arguments[i].matches("--[a-z-]+=\\s*"))
                .boxed()
                .findFirst()
                .map(i -> name(arguments, i)
                        + " is empty; give a value, and look whether a variable of the shell is not set");
    }

    private static String name(String[] arguments, int empty) {
        if (!arguments[empty].isBlank()) {
            return arguments[empty].replaceFirst("=.*", "");
        }
        boolean isOfOption = empty > 0 && arguments[empty - 1].startsWith("--");
        return isOfOption ? arguments[empty - 1] : "argument " + (empty + 1);
    }

    private static String unknown(CommandLine command, String word) {
        Set<String> commands = command.getSubcommands().keySet();
        if (word.startsWith("-")) {
            return "there is no option " + word
                    + Spelling.question(word, command.getCommandSpec().optionsMap().keySet());
        }
        return commands.isEmpty()
                ? "there is a word too many: \"" + word + "\""
                : "there is no command \"" + word + "\"" + Spelling.question(word, commands);
    }

    /// True if the option is there without a value: the line ends, or another option follows.
    private static boolean isWithoutValue(CommandLine.MissingParameterException missing) {
        return !String.valueOf(missing.getMessage()).startsWith("Missing required option");
    }

    /// Adds the arguments that have to follow a missing one without a name: they are missing, too.
    private static Stream<ArgSpec> withNext(CommandLine command, ArgSpec missing) {
        return !(missing instanceof PositionalParamSpec first)
                ? Stream.of(missing)
                : command.getCommandSpec()
                        .positionalParameters()
                        .stream()
                        .filter(next -> next.required()
                                && next.index().min() >= first.index().min())
                        .map(next -> (ArgSpec) next);
    }

    private static String use(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? name(option) + " " + option.paramLabel()
                : argument.paramLabel();
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String kind(ArgSpec argument) {
        Class<?> type = argument.type();
        if (type == double.class || type == Double.class) {
            return "a number";
        }
        if (type == int.class || type == Integer.class) {
            return "a whole number";
        }
        return argument.arity().max() == 0 ? "without a value" : "other than it is";
    }
}
