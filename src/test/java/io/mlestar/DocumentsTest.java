package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.event.Event;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The documents name what the program has, and every link in them leads somewhere.
class DocumentsTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path README = Path.of("README.md");
    private static final Path SETTINGS = DOCS.resolve("settings.md");
    private static final Path ROOMS = Path.of("src/main/java/io/mlestar");
    private static final int MOST_README_LINES = 120;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path root, String ending) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> documents() {
        List<Path> documents = new ArrayList<>(files(DOCS, ".md"));
        documents.addAll(List.of(README, Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        return documents;
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String sources() {
        return files(Path.of("src/main/java"), ".java").stream().map(DocumentsTest::text).collect(Collectors.joining());
    }

    /// As GitHub makes them of headings.
    private static Set<String> anchors(Path file) {
        return HEADING.matcher(CODE.matcher(text(file)).replaceAll("")).results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-')).collect(Collectors.toSet());
    }

    @Test
    void theReadmeIsShort() {
        assertThat(text(README).lines().count()).isLessThanOrEqualTo(MOST_README_LINES);
    }

    @Test
    void everyRoomStandsInTheReadmesTable() {
        Set<String> rooms = files(ROOMS, "package-info.java").stream().map(label -> label.getParent().getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found("`(\\w+)`", String.join("\n", found("(?m)^\\|[^|]+\\| (`\\w+`(?:, `\\w+`)*) \\|$", text(README)))))
                .containsExactlyInAnyOrderElementsOf(rooms);
    }

    @Test
    void everyLinkLeadsSomewhere() {
        assertThat(documents()).allSatisfy(document -> {
            for (MatchResult link : LINK.matcher(CODE.matcher(text(document)).replaceAll("")).results().toList()) {
                if (!link.group(1).contains("://")) {
                    Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
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
        assertThat(found("(?m)^\\| `(\\w+)(?:\\.<name>\\.\\w+`, `agents\\.<name>\\.\\w+)?` \\|.*\\|.*\\|.*\\|$", text(SETTINGS)))
                .containsExactlyInAnyOrderElementsOf(fields);
    }

    @Test
    void everyVariableOfTheProgramIsDocumentedAndEveryDocumentedOneIsRead() {
        String sources = sources();
        Set<String> read = found("\"(MLE_STAR_\\w+)\"", sources);
        Set<String> properties = found("name = \"(mle\\.star\\.[\\w.]+)\"", sources).stream()
                .map(property -> property.toUpperCase(Locale.ROOT).replace('.', '_')).collect(Collectors.toCollection(TreeSet::new));
        Set<String> told = documents().stream().flatMap(file -> found("\\b(MLE_STAR_[A-Z0-9_]*[A-Z0-9])\\b", text(file)).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(told).containsAll(read);
        assertThat(told).allSatisfy(
                variable -> assertThat(read.contains(variable) || properties.contains(variable) || sources.contains(variable)).as(variable).isTrue());
    }

    @Test
    void everyCommandHasItsRow() {
        Set<String> commands = found("@Command\\(name = \"([a-z]+)\"(?!, hidden)", sources());
        commands.removeAll(Set.of("mlestar", "push", "card"));
        String table = text(DOCS.resolve("commands.md"));
        assertThat(commands).contains("run", "doctor").allSatisfy(command -> assertThat(table).containsPattern("(?m)^\\|.*`" + command + "\\b.*\\|"));
    }

    @Test
    void theEventsOfTheOutsideContractAreDocumented() {
        assertThat(text(DOCS.resolve("events.md"))).contains(Event.RUN_REQUESTED, Event.RUN_CANCELLED, Event.RUN_COMPLETED, Event.RUN_FAILED,
                Event.SCRIPT, Event.agentType("<name>"), Event.phaseType("<kind>"));
    }
}
