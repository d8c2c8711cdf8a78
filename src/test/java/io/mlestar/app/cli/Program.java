package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import module java.base;

/// The built program as a user starts it, in a process of its own.
public final class Program {
    /// The whole program.
    public static final List<String> COMMAND = List.of(Path.of("mlestar").toAbsolutePath().toString());
    public static final Path EXAMPLE = Path.of("src/examples/bird-strikes").toAbsolutePath();
    public static final Path MINI = Path.of("src/test/resources/mini").toAbsolutePath();
    /// The model that answers for the tiny task.
    public static final String ANSWERS = "recorded:" + MINI + "/answers";

    /// The tiny task whose scripts do nothing, as events ask for a run of it.
    public static final String TASK = """
            {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular", "evaluation_metric": "AUC",
             "metric_direction": "maximize", "description": "Predict y.", "data_dir": "%s"}"""
            .formatted(MINI.resolve("input"));
    /// The settings of a run that is as short as can be.
    public static final String SHORT =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
    /// The token of those who change something on a server of this program's.
    public static final String TOKEN = "a-token-of-the-tests";

    /// @param out what it wrote to stdout
    /// @param err what it wrote to stderr
    public record Ended(int exitCode, String out, String err) {}

    private static final double USUAL_START_SECONDS = 2;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private List<String> starter = List.of();

    /// @param folder for what the program writes
    public Program(Path folder) {
        this.folder = folder;
    }

    /// Sets a variable of the program's environment.
    public Program with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /// Lets another program start it.
    public Program inside(String... program) {
        starter = List.of(program);
        return this;
    }

    public Path store() {
        return folder.resolve("store");
    }

    /// Files in its folder, and in all below, that hold this text.
    public List<Path> filesWith(String text) throws IOException {
        List<Path> holding = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
                    holding.add(file);
                }
            }
        }
        return holding;
    }

    public Ended run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("mlestar " + String.join(" ", arguments) + " did not end");
        }
        return new Ended(process.exitValue(), Files.readString(folder.resolve("out")),
                Files.readString(folder.resolve("err")));
    }

    /// The factor by which this machine is slower now than an idle one of two processors, by a
    /// start of the program; at least 1. Limits in real time stretch with it.
    public int pace() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        if (run("agents").exitCode() != 0) {
            throw new AssertionError("mlestar agents failed");
        }
        return (int) Math.max(1, Math.ceil((System.nanoTime() - begin) / 1e9 / USUAL_START_SECONDS));
    }

    /// Starts it and goes on.
    public Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.addAll(COMMAND);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile());
        builder.environment().remove("MLE_STAR_MODEL");
        builder.environment().put("MLE_STAR_STORE", store().toString());
        builder.environment().put("MLE_STAR_TOKEN", TOKEN);
        builder.environment().put("MLE_STAR_DATA", MINI.toString());
        builder.environment().put("MLE_STAR_NEEDS_LIBRARIES", "false");
        builder.environment().putAll(environment);
        return builder.start();
    }

    /// Arguments of a run of the example task with its recorded answers.
    public static String[] example(String runId, String... more) {
        return with(List.of("run", "--task", EXAMPLE + "/task.yaml", "--config", EXAMPLE + "/config.yaml",
                "--model", "recorded:" + EXAMPLE + "/answers", "--run-id", runId), more);
    }

    /// Arguments of a run of the example with a sixth of its rows, for tests that look at something
    /// else than scores: its scripts still train, in a fraction of the time.
    ///
    /// @param folder where the smaller task lies, or is put
    public static String[] smallExample(Path folder, String runId, String... more) throws IOException {
        Path task = folder.resolve("small/task.yaml");
        if (!Files.exists(task)) {
            Path input = Files.createDirectories(folder.resolve("small/input"));
            for (String file : List.of("train.csv", "test.csv", "sample_submission.csv", "wildlife.csv")) {
                List<String> rows = Files.readAllLines(EXAMPLE.resolve("input").resolve(file));
                Files.write(input.resolve(file),
                        file.equals("wildlife.csv") ? rows : rows.subList(0, 1 + rows.size() / 6));
            }
            Files.copy(EXAMPLE.resolve("task.yaml"), task);
        }
        return with(List.of("run", "--task", task.toString(), "--config", EXAMPLE + "/config.yaml",
                "--model", "recorded:" + EXAMPLE + "/answers", "--run-id", runId), more);
    }

    /// Arguments of a run of a tiny task whose scripts do nothing.
    public static String[] mini(String runId, String... more) {
        return with(List.of("run", "--task", MINI + "/task.yaml", "--model", ANSWERS,
                "--run-id", runId), more);
    }

    /// Data of an event that asks for a short run of the tiny task.
    public static String request(String runId) {
        return "{\"run_id\": \"" + runId + "\", \"task\": " + TASK
                + ", \"config\": {\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"ensemble_rounds\": 1}}";
    }

    static String[] with(List<String> arguments, String... more) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /// The final script of a result, without how long it ran: that differs from run to run.
    public static JsonNode solution(JsonNode result) {
        return ((ObjectNode) result.path("final_solution").deepCopy()).without("duration_seconds");
    }
}
