package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.task.PipelineConfig;
import module java.base;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/// The documents name what the program has, and every link in them leads somewhere.
class DocumentsTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path README = Path.of("README.md");
    private static final Path SETTINGS = DOCS.resolve("settings.md");
    private static final Path ALGORITHMS = DOCS.resolve("algorithms.md");
    private static final Path ROOMS = Path.of("src/main/java/io/mlestar");
    private static final int MOST_README_LINES = 120;
    /// Outside of tables, code and HTML, so that a reviewer's diff shows what changed.
    private static final int MOST_COLUMNS = 120;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^( *)```.*?^\\1```$");

    private static List<Path> documents() {
        List<Path> documents = new ArrayList<>(ProjectFiles.below(DOCS, ".md"));
        documents.addAll(List.of(README, Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        return documents;
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String sources() {
        return ProjectFiles.below(Path.of("src/main/java"), ".java").stream().map(ProjectFiles::text)
                .collect(Collectors.joining());
    }

    /// The anchors that GitHub makes of a file's headings.
    private static Set<String> anchors(Path file) {
        return HEADING.matcher(CODE.matcher(ProjectFiles.text(file)).replaceAll("")).results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ',
                        '-'))
                .collect(Collectors.toSet());
    }

    /// Those of eight words or more outside of code, tables and headings, in lower case and without
    /// marks; of a link its text.
    private static Stream<String> sentences(Path document) {
        String prose = CODE.matcher(ProjectFiles.text(document)).replaceAll("").replaceAll("(?m)^ *[|#<].*$", "")
                .replaceAll("(?m)^ *(?:[-*]|\\d+\\.) ", "\n\n").replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1");
        return Pattern.compile("\\n\\s*\\n|(?<=[.!?:;])\\s+").splitAsStream(prose.toLowerCase(Locale.ROOT))
                .map(sentence -> sentence.replaceAll("[^\\p{L}\\p{N}]+", " ").strip())
                .filter(sentence -> sentence.matches("(\\S+ ){7,}\\S+")).distinct();
    }

    @Test
    void noSentenceStandsInTwoDocuments() {
        assertThat(documents().stream().flatMap(DocumentsTest::sentences).toList()).hasSizeGreaterThan(500)
                .doesNotHaveDuplicates();
    }

    @Test
    void theReadmeIsShort() {
        assertThat(ProjectFiles.text(README).lines().count()).isLessThanOrEqualTo(MOST_README_LINES);
    }

    @Test
    void theTableOfResultsIsThatOfTheKeptOnes() {
        List<List<String>> table = ProjectFiles.rows(README, "(hidden score |\\w+, [\\w -]+ [↓↑] )");
        assertThat(table).hasSize(8);
        List<String> systems = table.getFirst();
        for (List<String> row : table.subList(1, table.size())) {
            for (int column = 1; column < systems.size(); column++) {
                Path kept = Path.of("src/proof", row.getFirst().replaceFirst(",.*", ""), "results",
                        systems.get(column).replace(' ', '-').toLowerCase(Locale.ROOT) + ".json");
                assertThat(Files.exists(kept)).as("%s", kept).isEqualTo(!row.get(column).equals("–"));
                if (Files.exists(kept)) {
                    assertThat(row.get(column)).as("%s", kept).isEqualTo(String.format(Locale.ROOT, "%.3f",
                            Json.parse(ProjectFiles.text(kept)).path("hidden_score").asDouble()));
                }
            }
        }
    }

    @Test
    void linesOfProseWrap() {
        assertThat(documents())
                .allSatisfy(document -> assertThat(CODE.matcher(ProjectFiles.text(document)).replaceAll("").lines()
                        .filter(line -> !line.strip().matches("[|<].*")))
                        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(MOST_COLUMNS)));
    }

    @Test
    void everyRoomStandsInTheTableOfTheDesign() {
        Set<String> rooms =
                ProjectFiles.below(ROOMS, "package-info.java").stream()
                        .map(label -> ROOMS.relativize(label.getParent()).toString().replace('/', '.'))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found("`([\\w.]+)`",
                String.join("\n",
                        found("(?m)^\\|[^|]+\\| (`\\w+\\.[\\w.]+`(?:, `\\w+\\.[\\w.]+`)*) \\|$",
                                ProjectFiles.text(Path.of("docs/design.md"))))))
                .containsExactlyInAnyOrderElementsOf(rooms);
    }

    @Test
    void everyLinkLeadsSomewhere() {
        assertThat(documents()).allSatisfy(document -> {
            for (MatchResult link : LINK.matcher(CODE.matcher(ProjectFiles.text(document)).replaceAll("")).results()
                    .toList()) {
                if (!link.group(1).contains("://")) {
                    Path target =
                            link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
                    assertThat(target).as("%s: %s", document, link.group()).exists();
                    if (link.group(2) != null) {
                        assertThat(anchors(target)).as("%s: %s", document, link.group()).contains(link.group(2));
                    }
                }
            }
        });
    }

    @Test
    void everySettingHasItsRow() {
        List<String> fields = new ArrayList<>();
        Json.tree(PipelineConfig.defaults()).fieldNames().forEachRemaining(fields::add);
        assertThat(found("(?m)^\\| `(\\w+)(?:\\.<name>\\.\\w+`, `agents\\.<name>\\.\\w+)?` \\|.*\\|.*\\|.*\\|$",
                ProjectFiles.text(SETTINGS)))
                .containsExactlyInAnyOrderElementsOf(fields);
    }

    @Test
    void everyVariableOfTheProgramIsDocumentedAndEveryDocumentedOneIsRead() {
        String sources = sources();
        Set<String> read = found("\"(MLE_STAR_\\w+)\"", sources);
        Set<String> properties = found("name = \"(mle\\.star\\.[\\w.]+)\"", sources).stream()
                .map(property -> property.toUpperCase(Locale.ROOT).replace('.', '_'))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> told = documents().stream()
                .flatMap(file -> found("\\b(MLE_STAR_[A-Z0-9_]*[A-Z0-9])\\b", ProjectFiles.text(file)).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(told).containsAll(read);
        assertThat(told).allSatisfy(
                variable -> assertThat(
                        read.contains(variable) || properties.contains(variable) || sources.contains(variable))
                        .as(variable).isTrue());
    }

    @Test
    void whatTheDocumentsCountIsSoMany() {
        long attacks = ProjectFiles.text(Path.of("src/test/resources/walls/attacks.csv")).lines().skip(1).count();
        assertThat(ProjectFiles.text(DOCS.resolve("scripts-and-walls.md"))).contains("tries " + attacks + " attacks",
                String.format(Locale.ROOT, "%,d in all", attacks * 4 * 3));
        long tools = Pattern.compile("@Tool\\(").matcher(ProjectFiles.text(ROOMS.resolve("app/mcp/RunTools.java")))
                .results().count();
        assertThat(ProjectFiles.text(DOCS.resolve("models.md"))).as("tools beside the two that it names")
                .contains("and " + (tools - 2) + " more start");
    }

    @Test
    void everyCommandHasItsRow() {
        Set<String> commands = found("@Command\\(name = \"([a-z]+)\"(?!, hidden)", sources());
        commands.removeAll(Set.of("mlestar", "push", "card", "form"));
        String table = ProjectFiles.text(DOCS.resolve("commands.md"));
        assertThat(commands).contains("run", "doctor")
                .allSatisfy(command -> assertThat(table).containsPattern("(?m)^\\|.*`" + command + "\\b.*\\|"));
    }

    /// Each name of code in the algorithms' tables is that of a type, or of a method of one.
    @Test
    void theAlgorithmsNameWhatThereIs() {
        Set<String> named = found("`([A-Z]\\w+(?:\\.\\w+)?)`", ProjectFiles.text(ALGORITHMS));
        assertThat(named).hasSizeGreaterThan(35).allSatisfy(name -> {
            String[] parts = name.split("\\.");
            List<Path> sources = ProjectFiles.below(Path.of("src/main/java"), "/" + parts[0] + ".java");
            assertThat(sources).as(name).hasSize(1);
            assertThat(ProjectFiles.text(sources.getFirst())).as(name)
                    .containsPattern(
                            parts.length == 1 ? "(?:record|class|enum|interface) " + parts[0] : " " + parts[1] + "\\(");
        });
    }

    @Test
    void everyLineOfTheAlgorithmsHasItsRow() {
        List<Integer> lines =
                found("(?m)^(## Algorithm \\d[\\s\\S]*?)(?=^## )", ProjectFiles.text(ALGORITHMS)).stream().map(part -> {
                    int next = 1;
                    for (MatchResult row : Pattern.compile("(?m)^\\| (\\d+)(?:–(\\d+))? \\|").matcher(part).results()
                            .toList()) {
                        assertThat(Integer.parseInt(row.group(1))).as(part).isEqualTo(next);
                        next = Integer.parseInt(row.group(2) == null ? row.group(1) : row.group(2)) + 1;
                    }
                    return next - 1;
                }).toList();
        assertThat(lines).containsExactly(18, 29, 10);
    }

    /// Only linked documents become pages.
    @Test
    void theContentsLeadToEveryDocument() {
        Set<Path> reached = new LinkedHashSet<>();
        List<Path> open = new ArrayList<>(List.of(DOCS.resolve("README.md")));
        while (!open.isEmpty()) {
            Path document = open.removeFirst();
            if (reached.add(document)) {
                LINK.matcher(ProjectFiles.text(document)).results()
                        .filter(link -> link.group(1).endsWith(".md") && !link.group(1).contains("://"))
                        .map(link -> document.resolveSibling(link.group(1)).normalize()).forEach(open::add);
            }
        }
        assertThat(reached).containsAll(documents());
    }

    /// The lines of the picture are those of the README; it is drawn without anything from
    /// elsewhere, and stands still for those who want no motion.
    @Test
    void thePicturesOfTheReadmeAreSmallAndTheTerminalsShowsTheSameRun() throws Exception {
        Path picture = DOCS.resolve("run.svg");
        assertThat(Files.size(picture)).isLessThan(300_000);
        assertThat(Files.size(DOCS.resolve("run-page.png"))).isLessThan(150_000);
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(picture.toFile());
        assertThat(ProjectFiles.text(picture)).contains("prefers-reduced-motion").doesNotContain("<script", "href",
                "url(", "@import");
        List<String> printed =
                TypedCommands.printed(README).stream().takeWhile(line -> !line.startsWith("ROC-AUC:")).toList();
        assertThat(printed).hasSizeGreaterThan(9).allSatisfy(line -> assertThat(ProjectFiles.text(picture)).as(line)
                .contains(line.strip().equals("...") ? ""
                        : ">" + line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "<"));
    }

    @Test
    void theEventsOfTheOutsideContractAreDocumented() {
        assertThat(ProjectFiles.text(DOCS.resolve("events.md"))).contains(Event.RUN_REQUESTED, Event.RUN_CANCELLED,
                Event.RUN_COMPLETED, Event.RUN_FAILED,
                Event.SCRIPT, Event.agentType("<name>"), Event.phaseType("<kind>"));
    }
}
