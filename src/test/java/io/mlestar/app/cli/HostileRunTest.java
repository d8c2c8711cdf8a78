package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.local.Display;
import io.mlestar.app.cli.local.Progress;
import io.mlestar.app.console.HostileText;
import io.mlestar.app.console.Terminal;
import io.mlestar.app.console.Warnings;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import module java.base;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A run whose task, model and scripts say all of [HostileText], and every command that prints
/// something of it.
class HostileRunTest {
    private static final String WORDS = String.join(" ", HostileText.ALL);

    @TempDir
    private static Path folder;

    private static DrivenRun run;

    @BeforeAll
    static void runIt() throws IOException {
        run = DrivenRun.saying(new FolderStore(folder.resolve("store")), "r", Program.SHORT, WORDS).untilTheEnd();
        Files.writeString(folder.resolve("task.json"),
                Json.text(Json.object().put("competition_id", WORDS).put(WORDS, 1)));
        Files.writeString(folder.resolve("input.json"),
                Json.text(Json.object().put("code", WORDS).put("error", WORDS)));
        Files.writeString(folder.resolve("labels.csv"), WORDS.replace("\n", "") + ",y\n1,0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "runs", "runs --json", "status r", "status r --json", "show r", "show r --json",
        "show r phase1/retriever --json", "show r phase1",
        "show r phase1/retriever", "show r phase1/candidate0/init",
        "show r phase1/candidate0/evaluation/script", "show r phase2-path0/block0/extractor",
        "show r phase2-path0/block0/plan",
        "diff r phase1/candidate0/evaluation/script phase1/candidate1/evaluation/script",
        "diff r phase1/candidate0/init phase1/candidate1/init",
        "report r --out FOLDER/report.html", "cancel r", "resume r", "fork r --run-id r2 --at phase9",
        "grade --run r --labels FOLDER/labels.csv",
        "agents", "agent debugger --render --input FOLDER/input.json", "run --task FOLDER/task.json",
        "status WORDS", "show r WORDS", "diff r WORDS phase1", "WORDS", "runs --WORDS", "run --task WORDS",
        "agent WORDS --input WORDS",
        "data push WORDS s3://b/p", "data card WORDS", "data form WORDS", "runs --store s3://WORDS",
        "run --task FOLDER/task.json --set WORDS=1", "help WORDS"})
    void noCommandSendsAControlOfIt(String command) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String word : command.split(" ")) {
            arguments.add(word.replace("FOLDER", folder.toString()).replace("WORDS", WORDS));
        }
        if (!command.contains("--store") && !command.startsWith("agent") && !command.startsWith("data")
                && !command.startsWith("help")
                && !command.startsWith("WORDS")) {
            arguments.addAll(List.of("--store", folder.resolve("store").toString()));
        }
        Typed typed = Typed.run(Terminal::new, arguments.toArray(String[]::new));
        String said = typed.out() + typed.err();
        assertThat(said).isNotEmpty();
        assertThat(HostileText.isIn(said.getBytes(StandardCharsets.UTF_8))).as(said).isFalse();
        if (command.endsWith("--json")) {
            assertThat(Json.parse(typed.out())).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LINES", "COLOURS"})
    void progressAndWarningsSendNoControlOfIt(Display display) {
        RunHeader header = run.records().header("r").orElseThrow();
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream terminal = new Terminal(new PrintStream(written, true, StandardCharsets.UTF_8));
        try (Progress progress = new Progress(run.records(), header, terminal, display);
                Warnings warnings = new Warnings(progress::say)) {
            Watcher watcher = progress;
            for (String inside : List.of("phase1/retriever", "phase1/candidate0/evaluation/script", "phase1")) {
                StepPath step = StepPath.parse("r/" + inside);
                watcher.ended(header, step, run.records().request(step).orElseThrow(),
                        run.records().result(step).orElseThrow());
                watcher.unreadable(header, step, WORDS);
            }
            watcher.outage(WORDS);
            warnings.say(WORDS);
        }
        String shown = written.toString(StandardCharsets.UTF_8);
        assertThat(shown).contains("warning: ", "the answer cannot be read", "\\u001b]0;owned\\u0007");
        String sent = shown.replaceAll("\r\033\\[K|\033\\[(3[123]|0)m", "");
        assertThat(HostileText.isIn(sent.getBytes(StandardCharsets.UTF_8))).as(sent).isFalse();
    }
}
