package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.mlestar.Installed;
import io.mlestar.Waiting;
import module java.base;

/// A real Chromium without a window: `CHROMIUM`, or the one of this machine. Tests are skipped
/// where there is none.
final class Browsing implements AutoCloseable {
    /// Longer than a busy machine takes; a page that is right is waited for no longer than it
    /// needs.
    private static final int PATIENCE_MILLIS = (int) Waiting.MOST.toMillis();

    private final Playwright playwright;
    private final Browser browser;

    private Browsing(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /// @param arguments of the browser
    static Browsing start(String... arguments) {
        String set = System.getenv("CHROMIUM");
        Path chromium = set != null ? Path.of(set)
                : Installed.need("the pages are not tested; CHROMIUM may name the program", "chromium",
                        "chromium-browser", "google-chrome",
                        "google-chrome-stable");
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        Playwright playwright = Playwright
                .create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        return new Browsing(playwright,
                playwright.chromium().launch(new BrowserType.LaunchOptions().setExecutablePath(chromium)
                        .setArgs(List.of(arguments))));
    }

    Visit visit(Browser.NewContextOptions options) {
        return new Visit(browser.newContext(options));
    }

    /// Looks at a page, of which the browser has nothing to complain.
    void look(Browser.NewContextOptions options, Consumer<Page> work) {
        try (Visit visit = visit(options)) {
            work.accept(visit.page());
            assertThat(visit.complaints()).as("what the browser complained about").isEmpty();
        }
    }

    @Override
    public void close() {
        playwright.close();
    }

    /// A page in a fresh profile, with everything that the browser complained about.
    static final class Visit implements AutoCloseable {
        private final BrowserContext context;
        private final Page page;
        private final List<String> complaints = new CopyOnWriteArrayList<>();

        Visit(BrowserContext context) {
            this.context = context;
            this.page = context.newPage();
            page.setDefaultTimeout(PATIENCE_MILLIS);
            page.onConsoleMessage(message -> complaints.add(message.text()));
            page.onPageError(complaints::add);
            page.onDialog(dialog -> {
                complaints.add("dialog " + dialog.message());
                dialog.dismiss();
            });
        }

        Page page() {
            return page;
        }

        List<String> complaints() {
            return complaints;
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
