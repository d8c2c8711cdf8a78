package io.mlestar.app.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import module java.base;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The pages in a real browser, against the built program. The runs are made by the test, so the
/// server learns of every step from the store alone. axe, the checker of WCAG's rules, has nothing
/// to say about any page, and none needs sideways scrolling on a phone.
class PagesIT {
    private static final String SMALL =
            "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1, \"max_budget_usd\": 50}";
    /// Would run if it were not escaped; breaks out of attributes, elements, templates and JSON.
    private static final String HOSTILE =
            "</pre></title></script>\"'><img src=x onerror=\"window.owned=1\"><script>window.owned=1</script>"
                    + "<svg onload=window.owned=1>{owned} ${owned} {{owned}} javascript:owned &lt;b&gt; \u202e \\u003cscript\\u003e"
                    + "W".repeat(300);

    private static final List<String> PAGES = List.of("/", "/new", "/new?task=task.yaml&preset=quick", "/workflow",
            "/runs/nobody", "/runs/going", "/runs/ended", "/runs/failed", "/runs/ended/report", "/runs/failed/report",
            "/compare?run=going&run=ended&run=failed", "/runs/ended/steps/phase2-path0/block0",
            "/runs/ended/steps/phase2-path0/block0/attempt1", "/runs/ended/steps/phase2-path0/block0/attempt1/planner",
            "/runs/ended/steps/phase1/candidate0/evaluation/script");
    /// On a phone it looks at what changes with colours and widths alone.
    private static final String FINDINGS = """
            async (isDark) => (await axe.run(document, {resultTypes: ["violations"], runOnly: isDark ? undefined
                    : ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]})).violations
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

    @BeforeAll
    static void start() throws Exception {
        browsing = Browsing.start();
        served = Served.start(folder, "--tasks", Program.MINI.toString());
        DrivenRun.start(served.store(), "going", SMALL, 0).until("phase2-path0/block0");
        DrivenRun.start(served.store(), "ended", SMALL, 0).untilTheEnd();
        DrivenRun.start(served.store(), "failed", SMALL, 100).untilTheEnd();
    }

    private static void look(Consumer<Page> work) {
        browsing.look(new NewContextOptions(), work);
    }

    private static Page open(Page page, String path) {
        page.navigate(served.address() + path);
        return page;
    }

    private static Locator summary(Page page, String step) {
        return page.locator("[id=\"step-" + step + "\"] > details > summary");
    }

    private static Locator says(Page page, String step) {
        return page.locator("[id=\"step-" + step + "\"] > div .says");
    }

    private static Locator link(Page page, String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void aRunGoesOnWhileOneLooks() {
        DrivenRun run = DrivenRun.start(served.store(), "live", SMALL, 0).until("phase1/retriever");
        run.goOn(2);
        look(page -> {
            open(page, "/runs/live");
            page.evaluate("window.stayed = true");
            assertThat(page.locator("#overview .state")).hasText("running");
            assertThat(page.locator("#now")).containsText("phase1/candidate0/init");
            summary(page, "phase1/candidate0").click();
            assertThat(page.locator("[id=\"step-phase1/candidate0/init\"]")).isVisible();
            link(page, "candidate1").focus();

            run.until("phase1");
            assertThat(page.locator("#figures .best")).hasText(Pattern.compile("0\\.\\d{5}"));
            assertThat(page.locator("[id=\"step-phase1/candidate0/evaluation\"]")).hasClass("done");
            assertThat(page.locator("svg.curve .curve-best-dot").first()).isVisible();
            assertThat(link(page, "candidate1")).isFocused();

            run.until("phase2-path0/block1/ablation");
            assertThat(page.locator("[id=\"step-phase2-path0/block1\"]")).isVisible();
            assertThat(says(page, "phase2-path0/block0")).containsText("Improve it.");

            run.untilTheEnd();
            assertThat(page.locator("#overview .state")).hasText("completed");
            assertThat(page.locator("#news")).containsText("completed");
            assertThat(page.locator("#now")).isHidden();
            assertThat(link(page, "final_solution.py")).isVisible();
            assertThat(page.locator("[id=\"step-finalization\"]")).hasClass("done");
            assertThat(page.evaluate("window.stayed")).as("the page was never loaded again").isEqualTo(true);
        });
    }

    @Test
    void theListFollowsRunsThatBeginAndEnd() {
        look(page -> {
            open(page, "/");
            page.evaluate("window.stayed = true");
            DrivenRun run = DrivenRun.start(served.store(), "listed", SMALL, 0);
            Locator row = page.locator("#run-listed");
            assertThat(row.locator(".state")).hasText("running");
            run.untilTheEnd();
            assertThat(row.locator(".state")).hasText("completed");
            assertThat(row.locator("td").nth(2)).hasText(Pattern.compile("0\\.\\d{5}"));
            assertThat(page.evaluate("window.stayed")).isEqualTo(true);
        });
    }

    @Test
    void aRunThatFailedSaysWhy() {
        look(page -> {
            open(page, "/runs/failed");
            assertThat(page.locator("#overview .state")).hasText("failed");
            assertThat(page.getByText("The run failed.")).isVisible();
            assertThat(page.locator("#title .error")).containsText("retriever");
            assertThat(page.locator("#title")).containsText("mlestar resume failed --store ");
            assertThat(page.locator("[id=\"step-phase1\"] .mark").first()).hasText("failed");
            assertThat(link(page, "failed.json")).isVisible();
            assertThat(page.locator("#cancel details")).hasCount(0);
        });
    }

    @Test
    void whatModelsAndScriptsSayIsTextAndNothingElse() {
        DrivenRun run = DrivenRun.saying(served.store(), "hostile",
                Json.line(Json.object().put("model", HOSTILE).put("outer_loop_steps", 1)
                        .put("inner_loop_steps", 2).put("ensemble_rounds", 2)),
                HOSTILE);
        run.until("phase2-path0/block0");
        String script = IntStream.range(0, 3).mapToObj("phase1/candidate%d/evaluation/script"::formatted)
                .filter(step -> run.records().result(new StepPath("hostile", step)).isPresent()).findFirst()
                .orElseThrow();
        List<String> pages = List.of("/", "/runs/hostile", "/runs/hostile/steps/phase1/retriever",
                "/runs/hostile/steps/phase2-path0/block0",
                "/runs/hostile/steps/phase2-path0/block0/attempt0",
                "/runs/hostile/steps/phase2-path0/block0/attempt1/planner",
                "/runs/hostile/steps/" + script);
        look(page -> {
            for (String path : pages) {
                open(page, path);
                assertThat(page.locator("body")).containsText("window.owned=1");
                assertThat(page.evaluate("window.owned")).as(path).isNull();
                assertThat(page.locator("img, svg[onload]").count()).as(path).isZero();
                for (int width : new int[] {360, 1200}) {
                    page.setViewportSize(width, 700);
                    assertThat((int) page.evaluate("document.documentElement.scrollWidth")).as(path)
                            .isLessThanOrEqualTo(width);
                }
            }
            open(page, "/runs/hostile");
            run.untilTheEnd();
            assertThat(page.locator("#overview .state")).hasText(Pattern.compile("completed|failed"));
            summary(page, "phase2-path0/block0").click();
            assertThat(says(page, "phase2-path0/block0/attempt1")).containsText("<img src=x");
            assertThat(page.evaluate("window.owned")).isNull();
            assertThat(page.locator("img, svg[onload]").count()).isZero();
        });
    }

    @Test
    void withoutScriptThePagesAreWhole() {
        DrivenRun run = DrivenRun.start(served.store(), "plain", SMALL, 0).until("phase2-path1/block0");
        browsing.look(new NewContextOptions().setJavaScriptEnabled(false), page -> {
            open(page, "/?token=" + Program.TOKEN);
            assertThat(page).hasURL(served.address() + "/");
            link(page, "plain").click();
            assertThat(page.locator("svg.curve .curve-best-dot").first()).isVisible();
            link(page, "block0").first().click();
            link(page, "attempt1").click();
            link(page, "coder").click();
            assertThat(page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Answer")))
                    .containsText("BLOCK = '");
            link(page, "plain").click();
            page.getByText("Cancel the run").click();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Finish now")).click();
            assertThat(page.locator("#overview .state")).hasText("finishing");
            assertThat(run.records().isCancelled("plain")).isTrue();
            run.untilTheEnd();
            page.waitForCondition(
                    () -> page.reload() != null && page.locator("#overview .state").innerText().equals("completed"));
        });
    }

    @Test
    void theKeyboardIsEnough() {
        DrivenRun run = DrivenRun.start(served.store(), "keys", SMALL, 0).until("phase2-path0/block0");
        look(page -> {
            open(page, "/runs/keys");
            page.keyboard().press("Tab");
            assertThat(page.getByText("Skip to the content")).isFocused();
            page.keyboard().press("Enter");
            tabTo(page, page.getByText("Cancel the run"));
            page.keyboard().press("Enter");
            page.keyboard().press("Tab");
            assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Finish now"))).isFocused();
            tabTo(page, summary(page, "phase2-path0/block0"));
            page.keyboard().press("Enter");
            assertThat(page.locator("[id=\"step-phase2-path0/block0/attempt0\"]")).isVisible();
            page.keyboard().press("Shift+Tab");
            assertThat(link(page, "block0").first()).isFocused();
            run.until("phase2-path0");
            assertThat(page.locator("[id=\"step-phase2-path0\"]")).hasClass("done");
            assertThat(link(page, "block0").first()).isFocused();
            page.keyboard().press("Enter");
            assertThat(page.locator("h1")).hasText("phase2-path0/block0");
        });
    }

    @Test
    void aClickOnASolutionShowsWhatItChangedBesideTheGraph() {
        look(page -> {
            open(page, "/runs/ended");
            Locator chosen = page.locator(".chosen");
            assertThat(chosen).isHidden();
            page.locator("#solutions a[href$='block0/attempt1']").first().click();
            assertThat(chosen.locator("h3")).hasText("phase2-path0/block0/attempt1");
            assertThat(chosen).containsText(Pattern.compile("Score.*Cost.*Plan.*Because of phase2", Pattern.DOTALL));
            assertThat(chosen.locator(".diff")).isVisible();
            assertThat(page).hasURL(served.address() + "/runs/ended");
            chosen.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Close")).click();
            assertThat(chosen).isHidden();
            page.locator("#solutions a[href$='block0/attempt0']").first().click();
            chosen.getByText("Open the step").click();
            assertThat(page.locator("h1")).hasText("phase2-path0/block0/attempt0");
        });
    }

    @Test
    void aRunIsEstimatedAndStartedInTheBrowser() {
        look(page -> {
            open(page, "/?token=" + Program.TOKEN);
            page.getByText("New run").first().click();
            page.getByLabel("Model").fill(Program.ANSWERS);
            page.getByLabel("Budget, USD").fill("3");
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Estimate")).click();
            assertThat(page.locator("dl.figures")).containsText("Calls");
            assertThat(page.getByLabel("Budget, USD")).hasValue("3");
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Start the run")).click();
            assertThat(page.locator("#overview h1")).hasText(Pattern.compile("mini-[0-9a-f]{16}"));
            assertThat(page.locator("#bars")).containsText("of $3.00");
        });
    }

    @Test
    void thePageOfAHaltedRunGoesOnWithIt() {
        DrivenRun run = DrivenRun.start(served.store(), "still", "{\"outer_loop_steps\": 1}", 0)
                .until("phase1/retriever");
        look(page -> {
            open(page, "/runs/still");
            Locator state = page.locator("#overview .state");
            assertThat(state).hasText("running");
            assertThat(run.records().promptChange("still", run.records().marks("still"), AgentType.RETRIEVER, "others"))
                    .isPresent();
            assertThat(state).hasText("halted");
            page.reload();
            assertThat(state).hasText("halted");

            run.records().accept("still", AgentType.RETRIEVER, "others");
            assertThat(state).hasText("running");
            run.untilTheEnd();
            assertThat(state).hasText("completed");
        });
    }

    private static void tabTo(Page page, Locator summary) {
        for (int i = 0; i < 60; i++) {
            page.keyboard().press("Tab");
            if ((boolean) summary.evaluate("one => one === document.activeElement")) {
                return;
            }
        }
        throw new AssertionError("the keyboard does not reach " + summary);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void axeFindsNothingInTheDarkNorOnAPhoneAndNoPageIsWiderThanThat(boolean isDark) throws IOException {
        NewContextOptions options = isDark ? new NewContextOptions().setColorScheme(ColorScheme.DARK)
                : new NewContextOptions().setViewportSize(360, 740).setIsMobile(true);
        String axe;
        try (InputStream script = Objects.requireNonNull(PagesIT.class.getResourceAsStream("/axe.min.js"))) {
            axe = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
        try (Browsing.Visit visit = browsing.visit(options)) {
            Page page = visit.page();
            for (String path : PAGES) {
                open(page, path).evaluate(axe);
                assertThat((List<?>) page.evaluate(FINDINGS, isDark)).as(path).isEmpty();
                assertThat((int) page.evaluate("document.documentElement.scrollWidth")).as(path)
                        .isLessThanOrEqualTo(page.viewportSize().width);
                assertThat((boolean) page.evaluate(DARK)).as(path + " is dark").isEqualTo(isDark);
            }
        }
    }
}
