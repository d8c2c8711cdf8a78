package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// axe, the checker of WCAG's rules, has nothing to say about any page, and none needs sideways
/// scrolling on a phone.
class AccessibilityIT {
    private static final String SMALL =
            "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1, \"max_budget_usd\": 50}";
    private static final List<String> PAGES = List.of("/", "/new", "/new?task=task.yaml&preset=quick", "/workflow",
            "/runs/nobody", "/runs/going",
            "/runs/ended",
            "/runs/failed", "/runs/ended/report", "/runs/failed/report", "/compare?run=going&run=ended&run=failed",
            "/runs/ended/steps/phase2-path0/block0",
            "/runs/ended/steps/phase2-path0/block0/attempt1", "/runs/ended/steps/phase2-path0/block0/attempt1/planner",
            "/runs/ended/steps/phase1/candidate0/evaluation/script");
    private static final String FINDINGS = """
            async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
                .flatMap((found) => found.nodes.map((node) => found.help + ": " + node.html))""";

    /// The paper of a page is that of its document or, of a report, of its body.
    private static final String DARK = """
            [document.documentElement, document.body].map((paper) => getComputedStyle(paper).backgroundColor)
                .find((colour) => !colour.startsWith("rgba(")).match(/\\d+/g)[0] < 64""";

    @TempDir
    private static Path folder;

    @AutoClose
    private static Served served;
    @AutoClose
    private static Browsing browsing;
    private static String axe;

    @BeforeAll
    static void start() throws Exception {
        try (InputStream script = Objects.requireNonNull(AccessibilityIT.class.getResourceAsStream("/axe.min.js"))) {
            axe = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
        browsing = Browsing.start();
        served = Served.start(folder, "--tasks", Program.MINI.toString());
        DrivenRun.start(served.store(), "going", SMALL, 0).until("phase2-path0/block0");
        DrivenRun.start(served.store(), "ended", SMALL, 0).untilTheEnd();
        DrivenRun.start(served.store(), "failed", SMALL, 100).untilTheEnd();
    }

    @Test
    void axeFindsNothingInTheDark() {
        look(new NewContextOptions().setColorScheme(ColorScheme.DARK), true);
    }

    @Test
    void axeFindsNothingOnAPhoneAndNoPageIsWiderThanIt() {
        look(new NewContextOptions().setViewportSize(360, 740).setIsMobile(true), false);
    }

    private static void look(NewContextOptions options, boolean isDark) {
        try (Browsing.Visit visit = browsing.visit(options)) {
            Page page = visit.page();
            for (String path : PAGES) {
                page.navigate(served.address() + path);
                page.evaluate(axe);
                assertThat((List<?>) page.evaluate(FINDINGS)).as(path).isEmpty();
                assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                        .as(path + " is no wider than the window")
                        .isLessThanOrEqualTo(page.viewportSize().width);
                assertThat((boolean) page.evaluate(DARK)).as(path + " is dark")
                        .isEqualTo(isDark);
            }
        }
    }
}
