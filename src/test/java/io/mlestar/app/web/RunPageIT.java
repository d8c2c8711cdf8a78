package io.mlestar.app.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.task.AgentType;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What one does on the page of a run, and how one gets there, in a real browser.
class RunPageIT {
    private static final String SMALL = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1}";
    private static final int NARROW = 500;

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
    }

    private static void look(NewContextOptions options, String path, Consumer<Page> work) {
        browsing.look(options, page -> {
            page.navigate(served.address() + path);
            work.accept(page);
        });
    }

    @Test
    void aClickOnASolutionShowsWhatItChangedBesideTheGraph() {
        DrivenRun.start(served.store(), "clicked", SMALL, 0).untilTheEnd();
        look(new NewContextOptions(), "/runs/clicked", page -> {
            Locator chosen = page.locator(".chosen");
            assertThat(chosen).isHidden();
            page.locator("#solutions a[href$='block0/attempt1']").first().click();
            assertThat(chosen.locator("h3")).hasText("phase2-path0/block0/attempt1");
            assertThat(chosen).containsText(Pattern.compile("Score.*Cost.*Plan.*Because of phase2", Pattern.DOTALL));
            assertThat(chosen.locator(".diff")).isVisible();
            assertThat(page).hasURL(served.address() + "/runs/clicked");
            chosen.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Close")).click();
            assertThat(chosen).isHidden();
            page.locator("#solutions a[href$='block0/attempt0']").first().click();
            chosen.getByText("Open the step").click();
            assertThat(page.locator("h1")).hasText("phase2-path0/block0/attempt0");
        });
    }

    @Test
    void whatIsCutOnANarrowScreenSaysThatItCanBeMoved() {
        DrivenRun.start(served.store(), "narrow", SMALL, 0).untilTheEnd();
        look(new NewContextOptions().setViewportSize(NARROW, 800), "/runs/narrow", page -> {
            assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(NARROW);
            assertThat(page.evaluate("getComputedStyle(document.querySelector('.scrolls'), '::before').display"))
                    .isEqualTo("block");
        });
        look(new NewContextOptions().setViewportSize(1200, 800), "/runs/narrow", page -> {
            assertThat(page.evaluate("getComputedStyle(document.querySelector('.scrolls'), '::before').display"))
                    .isEqualTo("none");
            double filled = ((Number) page.evaluate("document.querySelector('.graph').getBoundingClientRect().width"
                    + " / document.querySelector('#solutions').getBoundingClientRect().width")).doubleValue();
            assertThat(filled).isBetween(0.99, 1.01);
        });
    }

    @Test
    void aRunIsEstimatedAndStartedInTheBrowser() {
        look(new NewContextOptions(), "/?token=" + Program.TOKEN, page -> {
            page.getByText("New run").first().click();
            page.getByLabel("Model").fill("recorded:" + Program.MINI + "/answers");
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
        look(new NewContextOptions(), "/runs/still", page -> {
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
}
