package io.mlestar.app.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page of somebody else in a real browser whose user has our pages open. Its name leads to this
/// machine, as after DNS rebinding.
class RebindingIT {
    private static final String SMALL = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"ensemble_rounds\": 1}";
    /// What a page can try, as the browser sees it: the status, and what it could read.
    private static final String TRY =
            """
                    async ([base, method, path, mode, headers, body]) => {
                      try {
                        const answer = await fetch(base + path, { method, mode, headers, body: body || undefined, credentials: "include" });
                        return answer.type === "opaque" ? "opaque" : answer.status + " " + await answer.text();
                      } catch (failure) { return "none"; }
                    }""";
    private static final String CANCELS = "{\"run_id\": \"kept\"}";
    private static final Map<String, String> EVENT =
            Map.of("Content-Type", "application/json", "ce-specversion", "1.0", "ce-id", "1",
                    "ce-source", "evil", "ce-type", "io.mlestar.run.cancelled");

    @TempDir
    private static Path folder;

    @AutoClose
    private static Browsing browsing;
    @AutoClose
    private static Served served;
    private static DrivenRun kept;

    @BeforeAll
    static void start() throws Exception {
        // Without what some browsers have of their own against it: others have not.
        browsing = Browsing.start("--host-resolver-rules=MAP evil.test 127.0.0.1", "--no-proxy-server",
                "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessRespectPreflightResults");
        served = Served.start(folder);
        kept = DrivenRun.start(served.store(), "kept", SMALL, 0).until("phase1");
    }

    private static String at(String host) {
        return "http://" + host + ":" + served.uri("").getPort();
    }

    /// A page that the attacker's own server gave, before its name led here.
    private static Page attacker(Browsing.Visit visit, String origin) {
        visit.page().route(origin + "/attack",
                route -> route.fulfill(new Route.FulfillOptions().setContentType("text/html").setBody("<p>hello</p>")));
        visit.page().navigate(origin + "/attack");
        assertThat(visit.page().locator("p")).hasText("hello");
        return visit.page();
    }

    private static void nothingHappened() {
        assertThat(kept.records().isCancelled("kept")).isFalse();
        assertThat(kept.records().runs()).isSubsetOf("kept", "ours");
    }

    private static String tried(Page page, String base, String method, String path, String mode,
            Map<String, String> headers, String body) {
        return (String) page.evaluate(TRY, List.of(base, method, path, mode, headers, body));
    }

    @Test
    void aNameThatLeadsHereReadsNothingAndDoesNothing() {
        try (Browsing.Visit visit = browsing.visit(new NewContextOptions())) {
            visit.page().navigate(at("localhost") + "/?token=" + Program.TOKEN);
            Page page = attacker(visit, at("evil.test"));
            for (String path : List.of("/", "/runs", "/runs/kept", "/runs/kept/live", "/runs/kept/report", "/q/metrics",
                    "/q/health", "/web/run.js")) {
                assertThat(tried(page, "", "GET", path, "cors", Map.of(), "")).as(path).startsWith("421 ")
                        .doesNotContain("kept", "mlestar_");
            }
            for (String path : List.of("/runs/kept/cancel", "/sweep", "/planner", "/run-cancelled", "/mcp",
                    "/runs/kept/cancel?token=guess")) {
                assertThat(tried(page, "", "POST", path, "cors", Map.of("Content-Type", "application/json"), CANCELS))
                        .as(path).startsWith("421 ");
            }
            assertThat(tried(page, "", "POST", "/", "cors", EVENT, CANCELS)).startsWith("421 ");
            page.evaluate(
                    "document.body.innerHTML = '<form method=post action=/runs/kept/cancel>'; document.forms[0].submit()");
            page.waitForURL("**/cancel");
            assertThat(page.locator("body")).not().containsText("kept\"");
            nothingHappened();
        }
    }

    @Test
    void aPageElsewhereCannotUseTheCookieOfTheOneBeside() {
        for (String origin : List.of("http://evil.test:1", "http://localhost:1", "http://127.0.0.1:1")) {
            try (Browsing.Visit visit = browsing.visit(new NewContextOptions())) {
                visit.page().navigate(at("localhost") + "/?token=" + Program.TOKEN);
                Page page = attacker(visit, origin);
                String base = at("localhost");
                for (String path : List.of("/", "/runs", "/runs/kept")) {
                    for (String mode : List.of("cors", "no-cors")) {
                        assertThat(tried(page, base, "GET", path, mode, Map.of(), "")).as(origin + path + mode)
                                .isIn("none", "opaque");
                    }
                }
                for (String path : List.of("/runs/kept/cancel", "/run-cancelled", "/")) {
                    assertThat(tried(page, base, "POST", path, "no-cors", Map.of(), CANCELS)).as(origin + path)
                            .isIn("none", "opaque");
                    assertThat(tried(page, base, "POST", path, "cors", EVENT, CANCELS)).as(origin + path)
                            .isEqualTo("none");
                }
                page.evaluate(
                        "address => { document.body.innerHTML = '<form method=post>'; document.forms[0].action = address; document.forms[0].submit() }",
                        base + "/runs/kept/cancel");
                page.waitForURL("**/cancel");
                nothingHappened();
            }
        }
    }

    @Test
    void ourOwnPageCancelsWithTheCookieAndNotWithoutIt() {
        DrivenRun run = DrivenRun.start(served.store(), "ours", SMALL, 0).until("phase1");
        try {
            try (Browsing.Visit visit = browsing.visit(new NewContextOptions())) {
                cancel(visit.page());
                assertThat(visit.page().locator("body")).containsText("token");
                assertThat(run.records().isCancelled("ours")).isFalse();
                visit.page().navigate(at("localhost") + "/runs/ours?token=" + Program.TOKEN);
                assertThat(visit.page()).hasURL(at("localhost") + "/runs/ours");
                assertThat((String) visit.page().evaluate("document.cookie")).isEmpty();
                cancel(visit.page());
                assertThat(visit.page().locator("#overview .state")).hasText("finishing");
                assertThat(run.records().isCancelled("ours")).isTrue();
            }
        } finally {
            run.untilTheEnd();
        }
    }

    private static void cancel(Page page) {
        page.navigate(at("localhost") + "/runs/ours");
        page.getByText("Cancel the run").click();
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Finish now")).click();
    }
}
