package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Mlestar;
import module java.base;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The commands in the documents use commands, options, targets and variables that exist.
/// `DocumentedCommandsIT` runs them where possible.
class TypedCommandsTest {
    private static final Set<String> LANGUAGES = Set.of("sh", "text", "python", "java", "yaml", "json", "mermaid");
    private static final CommandLine PROGRAM = Mlestar.program();
    private static final Pattern OPTION = Pattern.compile("(?<=^|[\\s\\[(])--[a-z][a-z-]*");
    private static final Pattern OURS = Pattern.compile("^(?:[A-Z_]+=\\S* +)*(?:\\./)?mlestar +(.*)$");
    private static final Pattern MAKE = Pattern.compile("^(?:[A-Z_]+=\\S* +)*make +(.*)$");
    private static final Pattern KUBECTL = Pattern.compile("^kubectl +(.*)$");

    /// Each simple command of the blocks and of the code within lines, without comments.
    private static List<String> simple(Path document) {
        List<String> simple = new ArrayList<>();
        Stream.concat(TypedCommands.of(document).stream(), TypedCommands.within(document).stream())
                .map(command -> command.replaceAll("(?s)<<'(\\w+)'.*", "").replaceAll("\\\\\\n *", "")
                        .replaceAll("(?m) +#.*$", ""))
                .forEach(command -> Stream.of(command.split("[;|&()\\n]+")).map(String::strip)
                        .filter(part -> !part.isEmpty()).forEach(simple::add));
        return simple;
    }

    private static Map<String, Path> beginning(Pattern with) {
        Map<String, Path> found = new TreeMap<>();
        for (Path document : TypedCommands.documents()) {
            simple(document).forEach(command -> {
                Matcher matcher = with.matcher(command);
                if (matcher.matches()) {
                    found.put(matcher.group(1), document);
                }
            });
        }
        return found;
    }

    private static Set<String> options(String command) {
        return OPTION.matcher(command).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyBlockSaysWhatItHolds() {
        assertThat(TypedCommands.documents()).allSatisfy(document -> assertThat(TypedCommands.fenced(document))
                .allSatisfy(
                        block -> assertThat(LANGUAGES).as(document + ": " + block.text()).contains(block.language())));
    }

    @Test
    void everyCommandOfOursIsOneWithTheseOptions() {
        Map<String, Path> typed = beginning(OURS);
        assertThat(typed).hasSizeGreaterThan(60);
        typed.forEach((command, document) -> {
            CommandLine known = PROGRAM;
            for (String word : command.split(" +")) {
                if (!known.getSubcommands().containsKey(word)) {
                    break;
                }
                known = known.getSubcommands().get(word);
            }
            boolean isNamed =
                    !known.getCommandName().equals("mlestar") || command.startsWith("-") || command.startsWith("help")
                            || command.startsWith("COMMAND")
                            || command.startsWith("…");
            assertThat(isNamed).as(document + ": mlestar " + command).isTrue();
            assertThat(known.getCommandSpec().optionsMap().keySet()).as(document + ": mlestar " + command)
                    .containsAll(options(command));
        });
    }

    @Test
    void everyOptionInTheTableOfCommandsIsOneOfItsCommand() throws IOException {
        Pattern row = Pattern.compile("(?m)^\\| (`[a-z]+.*?`) \\|");
        int rows = 0;
        for (MatchResult found : row.matcher(Files.readString(Path.of("docs/commands.md")).replace("\\|", "/"))
                .results().toList()) {
            CommandLine command = PROGRAM.getSubcommands().get(found.group(1).replaceAll("^`([a-z]+).*$", "$1"));
            if (command != null) {
                Set<String> known = new TreeSet<>(command.getCommandSpec().optionsMap().keySet());
                Pattern.compile("`([a-z]+) ").matcher(found.group(1)).results()
                        .map(another -> PROGRAM.getSubcommands().get(another.group(1)))
                        .filter(another -> another != null)
                        .forEach(another -> known.addAll(another.getCommandSpec().optionsMap().keySet()));
                assertThat(known).as(found.group(1)).containsAll(options(found.group(1).replace("`", " ")));
                rows++;
            }
        }
        assertThat(rows).isGreaterThan(15);
    }

    @Test
    void everyTargetAndVariableOfMakeIsInTheMakefile() throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(Path.of("Makefile")));
        Set<String> targets = Pattern.compile("(?m)^([a-z-]+):").matcher(all).results().map(target -> target.group(1))
                .collect(Collectors.toSet());
        try (Stream<Path> scripts = Files.list(Path.of("src/build"))) {
            for (Path script : scripts.toList()) {
                all.append(Files.readString(script));
            }
        }
        Map<String, Path> typed = beginning(MAKE);
        assertThat(typed).hasSizeGreaterThan(30);
        typed.forEach((command, document) -> {
            for (String word : command.replaceAll("\"[^\"]*\"", "TEXT").split(" +")) {
                if (word.contains("=")) {
                    assertThat(all.toString()).as(document + ": make " + command)
                            .containsPattern("\\b" + word.substring(0, word.indexOf('=')) + "\\b");
                } else {
                    assertThat(targets).as(document + ": make " + command).contains(word);
                }
            }
        });
    }

    @Test
    void everyCommandForAClusterIsOneThatKubectlKnows() throws Exception {
        Installed.need("the commands of the documents are not compared with its help", "kubectl");
        String global = Subprocess.said(Map.of(), "kubectl", "options");
        Map<String, String> helps = new TreeMap<>();
        for (Map.Entry<String, Path> typed : beginning(KUBECTL).entrySet()) {
            String command = typed.getKey().replaceAll(" -- .*$", "").replaceAll("^-n \\S+ +", "");
            String verb =
                    command.startsWith("create secret generic") ? "create secret generic" : command.split(" +")[0];
            if (!helps.containsKey(verb)) {
                helps.put(verb, Subprocess.said(Map.of(), ("kubectl " + verb + " --help").split(" ")));
            }
            assertThat(helps.get(verb)).as(typed.toString()).contains("Usage:").contains("kubectl " + verb);
            assertThat(options(command)).as(typed.toString())
                    .allSatisfy(option -> assertThat(helps.get(verb) + global).contains(option + "="));
        }
    }

    /// Each command that is not run has a reason, and is still in the documents.
    @Test
    void whatIsNotRunHasAReason() {
        List<String> all =
                TypedCommands.documents().stream().flatMap(document -> TypedCommands.of(document).stream()).toList();
        assertThat(TypedCommands.notRun()).allSatisfy(left -> {
            assertThat(left.reason()).isNotBlank();
            assertThat(all).as("commands that begin with " + left.begins())
                    .anyMatch(command -> command.startsWith(left.begins()));
        });
        assertThat(all.stream().filter(TypedCommands::isRun)).hasSizeGreaterThan(30);
    }
}
