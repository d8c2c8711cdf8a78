package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import java.lang.annotation.Annotation;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/// `requirements.csv` says for every requirement which test proves it, or why none does;
/// `src/test/requirements` says what it asks for.
class RequirementsTest {
    private static final Path FILE = Path.of("src/test/resources/requirements.csv");
    /// A file per part, with the text of each requirement.
    private static final Path TEXTS = Path.of("src/test/requirements");
    private static final Pattern ENTRY = Pattern.compile("(?m)^- \\*\\*(REQ-\\w+-\\d{3})\\*\\* \\S");
    private static final Pattern CITED = Pattern.compile("REQ-[A-Z0-9]+-\\d+");
    /// The number of requirements in each part.
    private static final Map<String, Integer> PARTS =
            Map.of("DM", 50, "EX", 47, "SF", 46, "P1", 45, "P2O", 44, "P2I", 50, "P3", 49,
                    "FN", 48, "OR", 57);

    /// @param test `class#method`, `later` or `not-applicable`
    private record Row(String id, String test, String note) {
        boolean isProved() {
            return test.contains("#");
        }
    }

    private static List<Row> rows() {
        return ProjectFiles.text(FILE).lines().skip(1).map(line -> line.split(",", 3))
                .map(cells -> new Row(cells[0], cells[1], cells[2])).toList();
    }

    /// Not initialized: that takes time, and starts what only the tests need.
    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, RequirementsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("there is no test class " + name, e);
        }
    }

    private static Optional<Method> method(String test) {
        String[] parts = test.split("#");
        return Stream.<Class<?>>iterate(type(parts[0]), type -> type != null, Class::getSuperclass)
                .flatMap(type -> Stream.concat(Stream.of(type.getDeclaredMethods()),
                        Stream.of(type.getInterfaces()).flatMap(contract -> Stream.of(contract.getDeclaredMethods()))))
                .filter(method -> method.getName().equals(parts[1])).findFirst();
    }

    @Test
    void everyRequirementStandsThereOnce() {
        Map<String, Integer> expected = new LinkedHashMap<>(PARTS);
        List<String> ids = expected.entrySet().stream()
                .flatMap(part -> IntStream.rangeClosed(1, part.getValue())
                        .mapToObj(i -> "REQ-%s-%03d".formatted(part.getKey(), i)))
                .toList();
        assertThat(rows()).extracting(Row::id).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void everyNamedTestExistsAndNamesTheRequirement() {
        assertThat(rows().stream().filter(Row::isProved)).allSatisfy(row -> {
            Optional<Method> method = method(row.test());
            assertThat(method).as(row.toString()).isPresent();
            Requirement named = method.get().getAnnotation(Requirement.class);
            assertThat(named).as("%s has no @Requirement", row).isNotNull();
            assertThat(Arrays.asList(named.value())).as(row.toString()).contains(row.id());
        });
    }

    @Test
    void everyNamedTestIsRunByMakeTest() {
        assertThat(rows().stream().filter(Row::isProved).filter(row -> !isRunByMakeTest(row))).isEmpty();
    }

    /// Benches are no tests; long ones, disabled ones and those with a condition are left out, at
    /// least sometimes.
    private static boolean isRunByMakeTest(Row row) {
        Method method = method(row.test()).orElseThrow();
        return row.test().matches(".*(Test|IT)#.*") && AnnotationSupport.isAnnotated(method, Testable.class)
                && Stream.of(method, type(row.test().split("#")[0]), method.getDeclaringClass())
                        .noneMatch(RequirementsTest::mayBeLeftOut);
    }

    private static boolean mayBeLeftOut(AnnotatedElement test) {
        return AnnotationSupport.findRepeatableAnnotations(test, Tag.class).stream()
                .anyMatch(tag -> tag.value().equals("long"))
                || Stream.of(test.getAnnotations()).map(Annotation::annotationType)
                        .anyMatch(kind -> kind.equals(Disabled.class)
                                || kind.getPackage().equals(EnabledIf.class.getPackage()));
    }

    @Test
    void whatHasNoTestHasAReason() {
        assertThat(rows().stream().filter(row -> !row.isProved())).allSatisfy(row -> {
            assertThat(row.test()).as(row.toString()).isIn("later", "not-applicable");
            assertThat(row.note()).as(row.toString()).isNotBlank();
        });
    }

    private static List<String> found(Pattern id, int group, Path file) {
        return id.matcher(ProjectFiles.text(file)).results().map(match -> match.group(group)).toList();
    }

    @Test
    void everyRequirementHasItsTextOnceInTheFileOfItsPart() {
        assertThat(PARTS.keySet()).allSatisfy(part -> assertThat(found(ENTRY, 1, TEXTS.resolve(part + ".md")))
                .containsExactlyInAnyOrderElementsOf(
                        rows().stream().map(Row::id).filter(id -> id.startsWith("REQ-" + part + "-")).toList()));
        assertThat(ProjectFiles.below(TEXTS, ".md"))
                .extracting(file -> file.getFileName().toString().replace(".md", ""))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(PARTS.keySet().stream(), Stream.of("README")).toList());
    }

    @Test
    void whatCommentsAndDocumentsCiteCanBeLookedUp() {
        List<String> ids = rows().stream().map(Row::id).toList();
        assertThat(Stream.concat(ProjectFiles.below(Path.of("src/main/java"), ".java").stream(),
                ProjectFiles.below(Path.of("docs"), ".md").stream()))
                .allSatisfy(file -> assertThat(ids).as(file.toString()).containsAll(found(CITED, 0, file)));
    }

    @Test
    void theFileIsSorted() {
        List<String> ids = rows().stream().map(Row::id).toList();
        assertThat(new TreeSet<>(ids)).containsExactlyElementsOf(ids);
    }
}
