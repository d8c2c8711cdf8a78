package io.mlestar.app.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run of 2,000 attempts, more than 10,000 steps, which goes on while somebody looks: the page
/// stays small and answers at once.
@Tag("long")
class BigRunIT {
    private static final int MOST_ELEMENTS = 2_500;

    @TempDir
    private Path folder;

    private static double seconds(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e9;
    }

    @Test
    void thePageStaysSmallAndQuick() throws Exception {
        try (Browsing browsing = Browsing.start()) {
            BigRun run = new BigRun(folder.resolve("store"));
            int objects = run.until("phase2-path0/block248");
            assertThat(objects).isGreaterThan(20_000);
            run.keepFromOthers();
            try (Served served = Served.start(folder);
                    Browsing.Visit visit = browsing.visit(new NewContextOptions().setViewportSize(1200, 850))) {
                Page page = visit.page();
                Locator tree = page.locator("#tree");
                Duration before = served.used();
                double first = seconds(() -> page.navigate(served.address() + "/runs/" + BigRun.ID));
                Duration afterFirst = served.used();
                double again = seconds(() -> page.navigate(served.address() + "/runs/" + BigRun.ID));
                assertThat(elements(page)).isLessThan(MOST_ELEMENTS);

                Locator path = page.locator("[id=\"step-phase2-path0\"] > details > summary");
                double click = seconds(path::click);
                Locator last = page.locator("[id=\"step-phase2-path0/block248\"]");
                assertThat(last).isVisible();
                assertThat(page.locator("[id=\"step-phase2-path0/block3\"]")).hasCount(0);
                page.locator("[id=\"step-phase2-path0\"] .earlier a").click();
                assertThat(page.locator("[id=\"step-phase2-path0/block100\"]")).isVisible();
                assertThat(elements(page)).isLessThan(2 * MOST_ELEMENTS);

                Locator evaluations = page.locator("#figures");
                Duration opened = served.used();
                String evaluated = evaluations.innerText();
                run.until("phase2-path0/block249/attempt0");
                double told =
                        seconds(() -> assertThat(page.locator("[id=\"step-phase2-path0/block249\"]")).isVisible());
                assertThat(evaluations).not().hasText(evaluated);
                assertThat(tree).isVisible();
                assertThat(visit.complaints()).isEmpty();
                System.out.printf(
                        "2,000 attempts, %d objects: first page %.1f s, then %.2f s, opening a path %.2f s, news after %.1f s%n",
                        objects, first, again, click, told);
                assertThat(afterFirst.minus(before)).isLessThan(Duration.ofSeconds(60));
                assertThat(opened.minus(afterFirst)).as("the page again, and a path of it")
                        .isLessThan(Duration.ofSeconds(10));
            }
        }
    }

    private static int elements(Page page) {
        return (int) page.evaluate("document.querySelectorAll('*').length");
    }
}
