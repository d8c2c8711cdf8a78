package io.mlestar.app.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import module java.base;
import org.opentest4j.TestAbortedException;

/// Takes pictures of the pages and the report: of the bird-strikes example while it runs and when
/// it has ended, and of made-up runs. Those of the README, of a page and of the terminal, replace
/// the ones before.
public final class Screenshots {
    private static final Path TERMINAL = Path.of("docs/run.svg");
    private static final Path PAGE = Path.of("docs/run-page.png");
    /// The path of the folder would only distract.
    private static final String WITHOUT_PATHS = """
            folder => {
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(folder, '');
            }""";
    private static final String MADE_UP = "{\"outer_loop_steps\": 40, \"inner_loop_steps\": 4, \"max_budget_usd\": 12}";

    private final Program program;
    private final Served served;
    private final Browsing browsing;
    private final Path folder;

    private Screenshots(Program program, Served served, Browsing browsing, Path folder) {
        this.program = program;
        this.served = served;
        this.browsing = browsing;
        this.folder = folder;
    }

    public static void main(String... args) throws Exception {
        Path folder = Files.createDirectories(Path.of(args[0]));
        Files.writeString(TERMINAL, TerminalPicture.ofTheExample());
        System.out.println(TERMINAL);
        Program program =
                new Program(Files.createTempDirectory("screenshots")).with("MLE_STAR_DATA", Program.EXAMPLE.toString());
        try (Browsing browsing = Browsing.start();
                Served served = Served.start(program, "--tasks", Program.EXAMPLE.toString())) {
            new Screenshots(program, served, browsing, folder).take();
        } catch (TestAbortedException e) {
            System.out.println("no pictures: " + e.getMessage());
        }
    }

    private void take() throws Exception {
        DrivenRun.start(served.store(), "forest-cover-2", "{}", 100).untilTheEnd();
        DrivenRun.longAgo(served.store(), "forest-cover-3", MADE_UP, Duration.ofMinutes(14))
                .until("phase2-path1/block25").goOn(6);
        served.request(Json.line(example("bird-strikes-1")));
        desktop("running", "/runs/bird-strikes-1", page -> {
            page.setDefaultTimeout(300_000);
            page.locator("[id='step-phase2-path0/block1']").waitFor();
            page.locator("[id='step-phase2-path0/block0'] > details > summary").click();
            page.locator("[id='step-phase2-path0/block0/attempt2']").waitFor();
        });
        desktop("list", "/", page -> page.locator("#runs tbody tr").nth(2).waitFor());
        desktop("ended", "/runs/bird-strikes-1", page -> {
            page.setDefaultTimeout(300_000);
            page.locator("#overview .state.completed").waitFor();
        });
        program.run("grade", "--run", "bird-strikes-1", "--labels", Program.EXAMPLE + "/hidden/labels.csv");
        desktop("graded", "/runs/bird-strikes-1", page -> {});
        picture(PAGE, "/runs/bird-strikes-1", new NewContextOptions().setViewportSize(1000, 705), false, page -> {});
        desktop("long", "/runs/forest-cover-3", page -> {});
        desktop("failed", "/runs/forest-cover-2", page -> {});
        desktop("step-crashed", "/runs/bird-strikes-1/steps/phase1/candidate1/evaluation/script", page -> {});
        desktop("step-agent", "/runs/bird-strikes-1/steps/phase2-path0/block0/attempt1/planner", page -> {});
        desktop("step-attempt", "/runs/bird-strikes-1/steps/phase2-path0/block0/attempt2", page -> {});
        desktop("compare", "/compare?run=bird-strikes-1&run=forest-cover-3&run=forest-cover-2", page -> {});
        desktop("new", "/new?task=task.yaml&preset=strong", page -> {});
        desktop("workflow", "/workflow", page -> {});
        desktop("report", "/runs/bird-strikes-1/report", page -> {});
        desktop("print", "/runs/bird-strikes-1",
                page -> page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT)));
        NewContextOptions dark = new NewContextOptions().setViewportSize(1200, 850).setColorScheme(ColorScheme.DARK);
        picture("dark", "/runs/bird-strikes-1", dark, page -> {});
        picture("dark-step", "/runs/bird-strikes-1/steps/phase1/candidate1/evaluation/script", dark, page -> {});
        picture("dark-report", "/runs/bird-strikes-1/report", dark, page -> {});
        NewContextOptions phone =
                new NewContextOptions().setViewportSize(360, 740).setDeviceScaleFactor(2).setIsMobile(true);
        picture("phone", "/runs/bird-strikes-1", phone, page -> {});
        picture("phone-list", "/", phone, page -> {});
        picture("phone-compare", "/compare?run=bird-strikes-1&run=forest-cover-3&run=forest-cover-2", phone,
                page -> {});
        picture("phone-new", "/new?task=task.yaml&preset=strong", phone, page -> {});
        picture("phone-step", "/runs/bird-strikes-1/steps/phase2-path0/block0/attempt2", phone, page -> {});
        picture("phone-report", "/runs/bird-strikes-1/report", phone, page -> {});
    }

    private static ObjectNode example(String run) throws Exception {
        ObjectNode task =
                (ObjectNode) new YAMLMapper().readTree(Files.readString(Program.EXAMPLE.resolve("task.yaml")));
        task.put("data_dir", Program.EXAMPLE.resolve("input").toString());
        ObjectNode request =
                Json.object().put("run_id", run).put("model", "recorded:" + Program.EXAMPLE.resolve("answers"));
        request.set("task", task);
        ObjectNode config =
                (ObjectNode) new YAMLMapper().readTree(Files.readString(Program.EXAMPLE.resolve("config.yaml")));
        request.set("config", config.put("time_limit_seconds", 600).put("max_budget_usd", 2.5));
        return request;
    }

    private void desktop(String name, String path, Consumer<Page> when) {
        picture(name, path, new NewContextOptions().setViewportSize(1200, 850), when);
    }

    private void picture(String name, String path, NewContextOptions options, Consumer<Page> when) {
        picture(folder.resolve(name + ".png"), path, options, true, when);
    }

    /// @param whole whether with what one has to scroll to
    private void picture(Path file, String path, NewContextOptions options, boolean whole, Consumer<Page> when) {
        try (Browsing.Visit visit = browsing.visit(options)) {
            visit.page().navigate(served.address() + path);
            when.accept(visit.page());
            visit.page().evaluate(WITHOUT_PATHS, Path.of("").toAbsolutePath() + "/");
            visit.page().screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(whole));
            System.out.println(file);
        }
    }
}
