package io.mlestar.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The documentation in a real browser: read, searched, copied from, and on a phone.
@Tag("long")
class DocumentationIT {
    @TempDir
    private Path folder;

    @Test
    void theDocumentationIsReadCopiedFromAndFitsAPhone() throws Exception {
        try (Browsing browsing = Browsing.start(); Served served = Served.start(folder)) {
            try (Browsing.Visit visit = browsing.visit(new NewContextOptions().setPermissions(List.of("clipboard-write")))) {
                Page page = visit.page();
                page.navigate(served.address() + "/");
                page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Documentation")).click();
                page.getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Contents")).getByText("A first task").click();
                assertThat(page.locator("h1")).hasText("A first task");
                assertThat(page.locator(".contents [aria-current=page]")).hasText("A first task");
                assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Copy")))
                        .hasCount(page.locator("pre > code.language-sh").count());
                page.locator("button.copy").first().click();
                assertThat(page.locator("button.copy").first()).hasText("Copied");
                page.navigate(served.address() + "/docs/all");
                page.locator("article a[href='#docs/commands--a-new-task']").first().click();
                assertThat(page.locator("[id='docs/commands--a-new-task']")).isInViewport();
                assertThat(visit.complaints()).isEmpty();
            }
            NewContextOptions phone = new NewContextOptions().setViewportSize(360, 740).setIsMobile(true).setReducedMotion(ReducedMotion.REDUCE);
            try (Browsing.Visit visit = browsing.visit(phone)) {
                for (String document : List.of("", "/commands", "/comparison", "/workflow", "/readme", "/operating", "/design", "/all")) {
                    visit.page().navigate(served.address() + "/docs" + document);
                    assertThat((int) visit.page().evaluate("document.documentElement.scrollWidth")).as(document).isEqualTo(360);
                }
                assertThat(visit.complaints()).isEmpty();
            }
        }
    }
}
