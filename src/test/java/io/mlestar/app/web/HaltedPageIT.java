package io.mlestar.app.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.task.AgentType;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page of a run that stands still while somebody looks, and is resumed by another process.
class HaltedPageIT {
    @TempDir
    private Path folder;

    @Test
    void thePageOfAHaltedRunGoesOnWithIt() throws Exception {
        try (Browsing browsing = Browsing.start();
                Served served = Served.start(folder);
                Browsing.Visit visit = browsing.visit(new NewContextOptions())) {
            DrivenRun run =
                    DrivenRun.start(served.store(), "still", "{\"outer_loop_steps\": 1}", 0).until("phase1/retriever");
            Page page = visit.page();
            page.navigate(served.address() + "/runs/still");
            assertThat(page.locator("#overview .state")).hasText("running");
            assertThat(run.records().promptChange("still", run.records().marks("still"), AgentType.RETRIEVER, "others"))
                    .isPresent();
            assertThat(page.locator("#overview .state")).hasText("halted");
            page.reload();
            assertThat(page.locator("#overview .state")).hasText("halted");

            run.records().accept("still", AgentType.RETRIEVER, "others");
            assertThat(page.locator("#overview .state")).hasText("running");
            run.untilTheEnd();
            assertThat(page.locator("#overview .state")).hasText("completed");
            assertThat(visit.complaints()).isEmpty();
        }
    }
}
