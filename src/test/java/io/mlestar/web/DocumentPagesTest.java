package io.mlestar.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The documents as pages, from the Markdown that the repository shows.
class DocumentPagesTest {
    private static final Pattern LINK = Pattern.compile("<a href=\"([^\"]+)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");

    private final Documents documents = new Documents();

    private String html(String address) {
        return String.join("\n", documents.page(address).orElseThrow(() -> new AssertionError("no page " + address)).articles());
    }

    private static Set<String> found(Pattern pattern, String html) {
        return pattern.matcher(html).results().map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> pages() {
        Set<String> reached = new TreeSet<>();
        List<String> open = List.of(Documents.ADDRESS);
        while (!open.isEmpty()) {
            reached.addAll(open);
            open = open.stream().flatMap(page -> found(LINK, html(page)).stream()).filter(link -> link.startsWith(Documents.ADDRESS))
                    .map(link -> link.replaceFirst("#.*", "")).distinct().filter(page -> !reached.contains(page)).toList();
        }
        return reached;
    }

    @Test
    void everyLinkOfEveryPageLeadsToAPageAndAPlaceOnIt() {
        Set<String> pages = pages();
        assertThat(pages).contains("/docs/first-task", "/docs/decisions", "/docs/decisions/0004-deadlines", "/docs/requirements/p2i", "/docs/contributing",
                "/docs/changelog", "/docs/readme").hasSizeGreaterThan(40);
        assertThat(pages).allSatisfy(page -> assertThat(found(LINK, html(page))).allSatisfy(link -> {
            if (!link.contains("://")) {
                String[] parts = (link.startsWith("#") ? page + link : link).split("#");
                assertThat(pages).as(page + ": " + link).contains(parts[0]);
                if (parts.length > 1) {
                    assertThat(found(ID, html(parts[0]))).as(page + ": " + link).contains(parts[1]);
                }
            }
        }));
    }

    @Test
    void theOnePageHoldsAllOfThemAndItsLinksStayOnIt() {
        String all = html("/docs/all");
        List<String> ids = ID.matcher(all).results().map(MatchResult::group).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(found(LINK, all).stream().filter(link -> !link.contains("://"))).hasSizeGreaterThan(80)
                .allSatisfy(link -> assertThat(ids).as(link).contains(" id=\"" + link.substring(1) + "\""));
        assertThat(documents.page("/docs/all").orElseThrow().articles()).hasSameSizeAs(pages());
    }

    @Test
    void nothingIsLoadedFromElsewhereAndNoMarkupIsShown() {
        assertThat(pages()).allSatisfy(page -> {
            assertThat(found(Pattern.compile("src=\"([^\"]+)\""), html(page))).allSatisfy(source -> assertThat(source).matches("/web/\\w+\\.svg\\?v=\\w+"));
            assertThat(html(page)).doesNotContain("&lt;!--", "<!--", "<script", "style=\"");
        });
        assertThat(html("/docs/readme")).contains("<img src=\"/web/run.svg");
        assertThat(html("/docs/workflow")).contains("<img src=\"/web/workflow.svg").doesNotContain("flowchart LR");
    }

    @Test
    void theContentsStandBesideEachPageAndSayWhereOneIs() {
        PageTemplates.document page = documents.page("/docs/settings").orElseThrow();
        assertThat(page.title()).isEqualTo("Task, settings and environment variables");
        assertThat(page.contents().here()).isEqualTo("/docs/settings");
        assertThat(page.contents().parts()).extracting(Contents.ContentsPart::title).startsWith("First steps").contains("How it works");
        assertThat(page.contents().parts()).flatExtracting(Contents.ContentsPart::links)
                .contains(new Contents.ContentsLink("Task and settings", "/docs/settings"))
                .allSatisfy(entry -> assertThat(pages()).contains(((Contents.ContentsLink) entry).address()));
    }

    @Test
    void aPageIsMadeOnceHoweverOftenItIsRead() {
        for (String address : List.of("/docs/all", "/docs/settings")) {
            assertThat(documents.page(address)).get().isSameAs(documents.page(address).orElseThrow());
        }
    }

    @Test
    void whatIsNoDocumentIsNoPage() {
        for (String address : List.of("/docs/nothing", "/docs/../pom", "/docs/docs/README.md", "/docs/interfaces/openapi.json", "/docs/")) {
            assertThat(documents.page(address)).as(address).isEmpty();
        }
    }
}
