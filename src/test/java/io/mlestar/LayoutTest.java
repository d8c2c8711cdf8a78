package io.mlestar;

import static io.mlestar.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

/// The rules of the house, checked on the sources.
class LayoutTest {
    private static final Path MAIN = Path.of("src/main/java/io/mlestar");
    private static final Path TESTS = Path.of("src/test/java");
    /// Generators, benches and pictures: programs that `make` starts, compiled with the tests.
    private static final Path TOOLS = Path.of("src/tools/java");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?([\\w.]+);|\\b(io\\.mlestar(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*)");
    private static final Pattern ROOM = Pattern.compile("^io\\.mlestar\\.((?:[a-z]\\w*\\.)*[a-z]\\w*)\\.[A-Z].*");
    /// From the ground up.
    private static final List<String> WINGS = List.of("core", "adapter", "show", "app");
    /// Words and signs in lines that say something, by wing, and in the tests: a limit of lines
    /// would be met by denser lines. These figures only fall.
    private static final Map<String, Integer> MOST_TOKENS =
            Map.of("core", 119_390, "adapter", 123_620, "show", 57_840, "app", 77_062);
    private static final int MOST_TOKENS_OF_TESTS = 494_600;
    private static final Pattern TOKEN = Pattern.compile("\\w+|[^\\s\\w]");
    /// Lines that say something, of the survey's programs in Python.
    private static final int MOST_CODE_OF_SURVEY = 4_200;
    private static final int MOST_ROOMS = 37;
    /// A blank, a comment, an import, an annotation or a brace alone is none of them.
    private static final Pattern NO_CODE =
            Pattern.compile("\\s*(//.*|#.*|(import|package) .*;|[\\[\\](){};,]+|@\\w+(\\(.*\\))?)?");
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public (?:final |abstract |sealed |non-sealed )*(?:class|record|interface|enum) ");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^\\s*(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed) )*"
                    + "(?:class|record|interface|enum) ([A-Z]\\w*)");
    /// Names of the ways in which steps end, and of what phases give: they are written with the
    /// name of the type around them where they could be confused.
    private static final Set<String> CASES = Set.of("Done", "Failed", "Stopped", "Result");
    /// But for rows of tables and patterns of keys, which cannot be broken.
    private static final Pattern COMMENT = Pattern.compile("\\s*///? (?:(?! {2})[^|<])*");
    private static final int MOST_COLUMNS = 100;
    private static final int MOST_LINES = 312;
    private static final int MOST_TEST_LINES = 360;

    private static List<Path> sources(Path root) {
        return ProjectFiles.below(root, ".java");
    }

    private static String room(Path file) {
        return MAIN.relativize(file.getParent()).toString().replace('/', '.');
    }

    private static String wing(String room) {
        return room.replaceAll("\\..*", "");
    }

    private static int rank(String room) {
        return WINGS.indexOf(wing(room));
    }

    private static Path folder(String room) {
        return MAIN.resolve(room.replace('.', '/'));
    }

    private static Stream<String> lines(Stream<Path> files) {
        return files.flatMap(file -> text(file).lines()).filter(line -> !NO_CODE.matcher(line).matches());
    }

    private static long tokens(Stream<Path> files) {
        return lines(files).mapToLong(line -> TOKEN.matcher(line).results().count()).sum();
    }

    private static List<String> imports(Path file) {
        List<String> imports = new ArrayList<>();
        Matcher matcher = IMPORT.matcher(text(file).replaceAll("(?m)^\\s*///.*$", ""));
        while (matcher.find()) {
            imports.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        return imports;
    }

    /// The rooms that a room imports, by its label.
    private static Set<String> allowed(String room) {
        String label = text(folder(room).resolve("package-info.java")).replaceAll("\\R///", "");
        Matcher imports = Pattern.compile("Imports from the project: ((?:`[\\w.]+`|[^`.])+)\\.").matcher(label);
        assertThat(imports.find()).as("the label of " + room + " says what it imports").isTrue();
        return Pattern.compile("`([\\w.]+)`").matcher(imports.group(1)).results().map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Set<String>> rooms() {
        return sources(MAIN).stream().map(LayoutTest::room).distinct()
                .collect(Collectors.toMap(room -> room, LayoutTest::allowed));
    }

    @Test
    void aRoomImportsWhatItsLabelSays() {
        Map<String, Set<String>> imported = new TreeMap<>();
        for (Path file : sources(MAIN)) {
            imported.computeIfAbsent(room(file), room -> new TreeSet<>());
            imports(file).stream().map(ROOM::matcher).filter(Matcher::matches).map(name -> name.group(1))
                    .filter(room -> !room.equals(room(file))).forEach(imported.get(room(file))::add);
        }
        assertThat(imported).isEqualTo(rooms());
    }

    /// `make lint` holds it to what it declares.
    @Test
    void aRoomDeclaresWhatMayBeNull() {
        assertThat(rooms().keySet()).allSatisfy(
                room -> assertThat(text(folder(room).resolve("package-info.java"))).contains("@NullMarked"));
    }

    @Test
    void importsBetweenRoomsNeverRunInACircle() {
        Map<String, Set<String>> rooms = rooms();
        List<String> built = new ArrayList<>();
        while (rooms.entrySet().stream()
                .anyMatch(room -> !built.contains(room.getKey()) && built.containsAll(room.getValue()))) {
            rooms.forEach((room, needed) -> {
                if (!built.contains(room) && built.containsAll(needed)) {
                    built.add(room);
                }
            });
        }
        assertThat(built).containsExactlyInAnyOrderElementsOf(rooms.keySet());
    }

    @Test
    void aWingImportsWingsBelowItOnly() {
        assertThat(rooms()).allSatisfy((room, imported) -> assertThat(imported).as(room)
                .allSatisfy(other -> assertThat(rank(other)).isBetween(0, rank(room))));
    }

    /// A wing has to fit into one head.
    @Test
    void aWingStaysWithinItsTokens() throws IOException {
        assertThat(MOST_TOKENS).allSatisfy((wing, most) -> assertThat(tokens(sources(MAIN.resolve(wing)).stream()))
                .as(wing).isBetween(1L, (long) most));
        assertThat(sources(MAIN).stream().map(file -> wing(room(file))).distinct())
                .containsExactlyInAnyOrderElementsOf(WINGS);
        assertThat(rooms()).hasSizeLessThanOrEqualTo(MOST_ROOMS);
        assertThat(tokens(sources(TESTS).stream())).isLessThanOrEqualTo(MOST_TOKENS_OF_TESTS);
        try (Stream<Path> survey = Files.list(Path.of("src/main/resources/survey"))) {
            assertThat(lines(survey).count()).isBetween(1L, (long) MOST_CODE_OF_SURVEY);
        }
    }

    /// The jar `core` needs nothing else.
    private static ListAssert<String> assertImports(Path file) {
        return assertThat(imports(file)).as(file.toString());
    }

    @Test
    void theCoreNeedsJacksonAndALogOnly() {
        assertThat(sources(MAIN.resolve("core"))).allSatisfy(file -> assertImports(file)
                .allMatch(name -> name.startsWith("java.") || name.startsWith("io.mlestar.core.")
                        || name.startsWith("com.fasterxml.jackson.")
                        || name.startsWith("org.jboss.logging.") || name.startsWith("org.jspecify.")
                        || name.startsWith("io.quarkus.runtime.annotations.")));
    }

    @Test
    void theAlgorithmsKnowNoEventsNoFilesAndNoFrameworks() {
        assertThat(sources(MAIN).stream().filter(file -> List.of("core.step", "core.phase").contains(room(file))))
                .allSatisfy(file -> assertImports(file)
                        .noneMatch(name -> name.startsWith("java.io.")
                                || name.startsWith("java.nio.") || name.startsWith("java.time.Clock")
                                || name.startsWith("java.time.InstantSource")
                                || name.startsWith("io.quarkus")
                                || name.startsWith("jakarta") || name.startsWith("com.fasterxml")
                                || name.equals("java.util.Random")));
    }

    /// It is built of the same classes without some rooms and libraries (`application.properties`,
    /// profile `functions`), and what is left needs none of them.
    @Test
    void theFunctionsNeedNothingThatTheirProgramLeavesOut() {
        Map<String, Set<String>> rooms = rooms();
        Set<String> needed = new TreeSet<>(Set.of("app.function"));
        for (int before = 0; before < needed.size();) {
            before = needed.size();
            needed.addAll(needed.stream().flatMap(room -> rooms.get(room).stream()).toList());
        }
        assertThat(needed).contains("app.http", "app.program", "core.engine").doesNotContain("app.web", "app.mcp",
                "app.cli");
        assertThat(sources(MAIN).stream().filter(file -> needed.contains(room(file))))
                .allSatisfy(file -> assertImports(file)
                        .noneMatch(name -> name.startsWith("picocli.") || name.startsWith("io.quarkiverse.mcp.")));
    }

    @Test
    void onlyTheDoorsKnowFunqy() {
        assertThat(sources(MAIN).stream().filter(file -> !room(file).equals("app.function")))
                .allSatisfy(file -> assertImports(file)
                        .noneMatch(name -> name.contains("funqy")));
    }

    @Test
    @Requirement("REQ-P2I-044")
    void onlyTheDoorToModelsKnowsTheModelsLibrary() {
        assertThat(sources(MAIN).stream().filter(file -> !room(file).startsWith("adapter.model")))
                .allSatisfy(file -> assertImports(file)
                        .noneMatch(name -> name.startsWith("dev.langchain4j")))
                .allSatisfy(file -> assertThat(text(file)).as(file.toString()).doesNotContain("dev.langchain4j."));
    }

    @Test
    @Requirement("REQ-DM-050")
    void theModelsLeanOnTheirJsonLibraryOnly() {
        assertThat(sources(folder("core.task"))).allSatisfy(file -> assertImports(file)
                .allMatch(name -> name.startsWith("java.") || name.startsWith("com.fasterxml.jackson.")
                        || name.startsWith("org.jspecify.")
                        || name.startsWith("io.mlestar.core.task") || name.startsWith("io.mlestar.core.base")));
    }

    @Test
    void onlyTheReadModelGoesThroughTheStepsOfRuns() {
        assertThat(sources(MAIN).stream()
                .filter(file -> !room(file).startsWith("core.") && !room(file).equals("show.view")))
                .allSatisfy(file -> assertThat(text(file)).as(file.toString())
                        .doesNotContainPattern("(?i)records(?:\\(\\))?\\s*\\.(?:below|journal)\\("));
    }

    /// All others say what the phases decided. By name: the best so far in a curve, a list or a
    /// terminal, the axis of a curve, and the submission of a failed run.
    @Test
    void onlyThePhasesCompareSolutions() {
        Pattern comparison =
                Pattern.compile(
                        "\\.(isImprovement|isImprovementOrEqual|bestFirst|takesPlace|beats)\\(|irection(\\(\\))?\\s*\\.(best|better)\\([^)]");
        assertThat(sources(MAIN).stream().filter(file -> !List.of("core.phase", "adapter.grade").contains(room(file)))
                .filter(file -> comparison.matcher(text(file)).find()))
                .extracting(file -> file.getFileName().toString().replace(".java", ""))
                .containsExactlyInAnyOrder("ScoreCurve", "ScoreScale", "ComparedRun", "LiveRun", "Progress",
                        "LastResort", "RunTally");
    }

    @Test
    void everyPublicTypeSaysWhatItIs() {
        assertThat(sources(MAIN)).allSatisfy(file -> {
            Matcher type = PUBLIC_TYPE.matcher(text(file));
            if (type.find()) {
                String before = text(file).substring(0, type.start()).replaceAll("(?m)^(@.*|[ )\"a-z{},.].*)\\R", "");
                assertThat(before.stripTrailing().lines().reduce((a, b) -> b).orElse("")).as(file.toString())
                        .startsWith("///");
            }
        });
    }

    @Test
    void noFileOutgrowsItsIdea() {
        assertThat(sources(MAIN)).allSatisfy(
                file -> assertThat(text(file).lines().count()).as(file.toString()).isLessThanOrEqualTo(MOST_LINES));
        assertThat(List.of(TESTS, TOOLS)).flatMap(LayoutTest::sources)
                .allSatisfy(file -> assertThat(text(file).lines().count()).as(file.toString())
                        .isLessThanOrEqualTo(MOST_TEST_LINES));
    }

    /// The formatter breaks code, at 100 columns in main and at 120 in tests, and leaves comments.
    @Test
    void noCommentIsWiderThan100Columns() {
        assertThat(List.of(MAIN, TESTS, TOOLS)).flatMap(LayoutTest::sources)
                .flatMap(file -> text(file).lines().toList())
                .filteredOn(line -> COMMENT.matcher(line).matches()).allMatch(line -> line.length() <= MOST_COLUMNS);
    }

    /// But for texts, which are searched for as they are printed, and labels of a switch, which the
    /// formatter joins.
    @Test
    void noCodeOfMainIsWiderThan100Columns() {
        assertThat(sources(MAIN))
                .flatMap(file -> text(file).replaceAll("(?s)\"\"\".*?\"\"\"", "\"\"").lines().toList())
                .filteredOn(line -> !line.contains("\"") && !line.contains("//") && !line.contains("case "))
                .allMatch(line -> line.length() <= MOST_COLUMNS);
    }

    @Test
    void noTwoTypesHaveTheSameName() {
        List<String> names = sources(MAIN).stream()
                .flatMap(file -> TYPE.matcher(text(file)).results().map(type -> type.group(1)).distinct())
                .filter(name -> !CASES.contains(name)).toList();
        assertThat(names).hasSizeGreaterThan(300).doesNotHaveDuplicates();
    }

    /// But where it is itself what is tried: a model or a script that takes its time.
    @Test
    void testsWaitForConditionsAndNotForATime() {
        assertThat(Stream.of(TESTS, TOOLS).flatMap(root -> sources(root).stream())
                .filter(file -> Pattern.compile("Thread\\.(sleep|onSpinWait)\\(").matcher(text(file)).find()))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder("FakeProvider.java", "ProviderRunIT.java");
    }

    /// Which pom.xml keeps in a JVM of their own.
    @Test
    void testsWithinQuarkusSayThatTheyAre() {
        assertThat(sources(TESTS).stream().filter(file -> text(file).contains("\n@QuarkusTest\n"))).isNotEmpty()
                .allSatisfy(file -> assertThat(text(file)).as(file.toString()).contains("\n@Tag(\"quarkus\")\n"));
    }

    @Test
    void nothingIsCalledAfterNothing() {
        assertThat(sources(MAIN)).extracting(file -> file.getFileName().toString().toLowerCase(java.util.Locale.ROOT))
                .noneMatch(name -> name.matches(".*(util|helper|manager|impl|common)s?\\.java"));
    }
}
