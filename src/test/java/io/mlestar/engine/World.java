package io.mlestar.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.records.RunHeader;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.Note;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepFailed;
import io.mlestar.step.StepPath;
import io.mlestar.step.Window;
import io.mlestar.task.DataModality;
import io.mlestar.task.EvaluationResult;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Models and scripts made up from a seed: the same step always gets the same answer, some answers are unreadable, some
/// agents fail, some scripts crash. Counts what was paid for.
public final class World implements Performer {
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final double COST = 0.01;
    private static final String FENCE = "```";
    /// What our own probe prints of a machine that has all.
    private static final String MACHINE = "{\"python\": \"3.12.1\", \"system\": \"Linux x86_64\", \"processors\": 8, \"scripts_at_once\": 8,"
            + " \"memory_bytes\": 33554432000, \"network\": false, \"gpus\": [], \"libraries\": {\"numpy\": \"2.1.0\"}, \"missing\": []}\n";

    /// What our own program prints of data that it has looked at.
    private static final String DATA = "{\"lines\": [\"Files: 1 file, 8 bytes\", \"- \\\"train.csv\\\" 8 bytes\"]}\n";

    public final Map<StepPath, Integer> paid = new ConcurrentHashMap<>();
    public String prompts = "digest";
    /// What an answer is thought to cost.
    double estimate;
    /// Whether every script fails for want of a library.
    volatile boolean lacksLibrary;
    private final long seed;
    /// Of a hundred answers, how many go wrong.
    private final int faults;

    public World(long seed, int faults) {
        this.seed = seed;
        this.faults = faults;
    }

    public static RunHeader header(String run, String config) {
        TaskDescription task = new TaskDescription("made-up", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE,
                "Predict y.", "/data", null);
        ObjectNode settings = Json.object().put("data_card", false);
        PipelineConfig resolved = PipelineConfig.resolve(settings.setAll((ObjectNode) Json.parse(config)), Map.of("MLE_STAR_MODEL", "made:up"));
        return new RunHeader(run, task, resolved, "no GPU", "test", "digest", NOW, NOW.plusSeconds(resolved.timeLimitSeconds()), null);
    }

    @Override
    public String promptsDigest() {
        return prompts;
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout) {
        paid.merge(step, 1, Integer::sum);
        Random random = random(step.inside());
        int fate = random.nextInt(100);
        if (fate < faults / 2) {
            throw new StepFailed("made to fail");
        }
        String text = fate < faults ? "Sorry, I cannot." : text(agent, step.inside());
        String told = brief.notes().stream().map(Note::text).collect(Collectors.joining("\n"));
        return new Answer(text, new Answer.Usage("made:up", 1, 1, 0, COST, 0), "", told);
    }

    private String text(Agent<?> agent, String path) {
        String script = FENCE + "python\nBLOCK = '" + path + "'\nprint('Final Validation Performance: 1')\n" + FENCE;
        return switch (agent.name()) {
            case "retriever" -> Json.line(Map.of("models", List.of(model("a"), model("b"), model("c"))));
            case "leakage" -> "{\"answers\":[{\"leakage_status\":\"No Data Leakage\",\"code_block\":\"\"}]}";
            case "extractor" -> Json.line(Map.of("plans", List.of(Map.of("code_block", "BLOCK = '", "plan", "Improve it."))));
            case "coder" -> FENCE + "python\n# " + path + "\nBLOCK = '\n" + FENCE;
            case "data" -> "All the provided information is used.";
            case "test-subsampling_extract" -> "No subsampling found.";
            case "summarize", "planner", "ens_planner" -> "Because of " + path + ".";
            default -> script;
        };
    }

    private static Map<String, String> model(String name) {
        return Map.of("model_name", name, "example_code", "import " + name);
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, Brief brief) {
        return OptionalDouble.of(estimate);
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
        begin.attempt();
        paid.merge(step, 1, Integer::sum);
        Random random = random(script.content());
        boolean crash = random.nextInt(100) < faults || lacksLibrary;
        String trace = "Traceback (most recent call last):\n"
                + (lacksLibrary ? "ModuleNotFoundError: No module named 'lightgbm'" : "ValueError: made to crash");
        String printed = crash ? "output" : switch (script.kind()) {
            case MACHINE -> MACHINE;
            case DATA_CARD -> DATA;
            case SOLUTION, ABLATION, SUBMISSION -> "output";
        };
        Double score = crash || script.kind() != RunScript.Kind.SOLUTION ? null : random.nextInt(1000) / 1000.0;
        EvaluationResult result = new EvaluationResult(score, printed, crash ? trace : "", crash ? 1 : 0, 0.1, crash, crash ? trace : null);
        boolean submits = script.kind() == RunScript.Kind.SUBMISSION && !crash;
        return Execution.of(result, false, submits ? new Execution.Submission("kept", 10, 1) : null, crash ? trace : null);
    }

    private Random random(String what) {
        return new Random(seed * 1_000_003 + what.hashCode());
    }

    /// Steps that were paid for more than once.
    public long paidTwice() {
        return paid.values().stream().mapToInt(times -> times - 1).sum();
    }
}
