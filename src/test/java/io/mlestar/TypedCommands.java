package io.mlestar;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import module java.base;

/// The commands in the documents: the blocks marked `sh`, and code within a line that begins with
/// the name of one of the programs.
public final class TypedCommands {
    /// The commands that cannot be run on one machine without a network, and why.
    private static final Path NOT_RUN = Path.of("src/test/resources/commands-not-run.csv");
    private static final Pattern FENCED = Pattern.compile("(?ms)^( *)```(\\w*)\\n(.*?)^\\1```$");
    private static final Pattern WITHIN = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern HERE_DOCUMENT = Pattern.compile("<<'(\\w+)'");

    private TypedCommands() {}

    /// @param language empty if it says none
    record Fenced(Path document, String language, String text) {}

    /// A command that must not be run in a test.
    ///
    /// @param begins how it begins
    record NotRun(String begins, String reason) {}

    static List<Path> documents() {
        List<Path> documents = new ArrayList<>(
                List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("src/mle-bench/README.md"),
                        Path.of("src/python/README.md")));
        documents.addAll(ProjectFiles.below(Path.of("docs"), ".md"));
        return documents;
    }

    static List<Fenced> fenced(Path document) {
        return FENCED.matcher(ProjectFiles.text(document)).results()
                .map(block -> new Fenced(document, block.group(2), block.group(3))).toList();
    }

    /// Code within lines.
    static List<String> within(Path document) {
        return WITHIN.matcher(FENCED.matcher(ProjectFiles.text(document)).replaceAll("")).results()
                .map(code -> code.group(1)).toList();
    }

    /// The commands of the document's blocks, each with its further lines, in order.
    public static List<String> of(Path document) {
        List<String> commands = new ArrayList<>();
        for (Fenced block : fenced(document)) {
            if (block.language().equals("sh")) {
                commands.addAll(commands(block.text()));
            }
        }
        return commands;
    }

    private static List<String> commands(String block) {
        List<String> commands = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        String until = null;
        for (String line : block.lines().toList()) {
            command.append(line);
            if (until == null) {
                until = HERE_DOCUMENT.matcher(line).results().map(start -> start.group(1)).findFirst().orElse(null);
            } else if (line.equals(until)) {
                until = null;
            }
            if (until == null && !line.endsWith("\\")) {
                if (!command.toString().isBlank()) {
                    commands.add(command.toString());
                }
                command.setLength(0);
            } else {
                command.append('\n');
            }
        }
        return commands;
    }

    /// The lines of the document's blocks of printed text.
    public static List<String> printed(Path document) {
        return fenced(document).stream().filter(block -> block.language().equals("text"))
                .flatMap(block -> block.text().lines()).toList();
    }

    static List<NotRun> notRun() {
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(NOT_RUN)) {
            return rows.stream().map(row -> new NotRun(row.getField("begins"), row.getField("reason"))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// True if a test runs the command as it is written.
    public static boolean isRun(String command) {
        return notRun().stream().noneMatch(left -> command.startsWith(left.begins()));
    }
}
