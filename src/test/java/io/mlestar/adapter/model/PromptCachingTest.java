package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.app.cli.Program;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DirectSteps;
import io.mlestar.core.engine.World;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.TaskDescription;
import module java.base;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The share of what the bird-strikes example asks that a provider has read before. The answers are
/// the recorded ones; the scripts do what they did in a real run. What a provider would read from
/// its cache is counted by its published rules (November 2026), as if all came within the five
/// minutes that it keeps them. A token is four characters.
class PromptCachingTest {
    private static final double LEAST_SHARE = 0.40;
    /// A text as long as what a survey says of the machine and of data like these.
    private static final String FACTS = "4 processors, no GPU\n\n"
            + "- `wildlife_size`: text, 3 values, none missing, e.g. Small, Medium, Large\n".repeat(55);
    private static final int LEAST = 1_024;
    private static final int CHARACTERS = 4;

    /// @param input tokens of all requests
    /// @param read of these from the cache
    private record Counted(long input, long read) {
        double share() {
            return (double) read / input;
        }
    }

    /// Anthropic (Sonnet): what ends at a mark is written; of what was written the longest
    /// beginning of a request is read, if it has 1,024 tokens or more. Another form of the answer,
    /// as other tools, is another beginning.
    private static Counted readAtAnthropic(List<JsonNode> bodies) {
        Set<String> written = new HashSet<>();
        long input = 0;
        long read = 0;
        for (JsonNode body : bodies) {
            List<JsonNode> blocks = new ArrayList<>();
            body.path("system").forEach(blocks::add);
            body.path("messages").forEach(message -> message.path("content").forEach(blocks::add));
            StringBuilder beginning =
                    new StringBuilder(body.path("tools").toString()).append(body.path("output_config"));
            int longest = 0;
            List<String> marked = new ArrayList<>();
            for (JsonNode block : blocks) {
                beginning.append(block.has("text") ? block.path("text").asText() : block.toString());
                if (written.contains(beginning.toString())) {
                    longest = beginning.length();
                }
                if (block.has("cache_control") && beginning.length() / CHARACTERS >= LEAST) {
                    marked.add(beginning.toString());
                }
            }
            written.addAll(marked);
            input += beginning.length() / CHARACTERS;
            read += longest / CHARACTERS;
        }
        return new Counted(input, read);
    }

    /// OpenAI: the longest beginning that any request had before, from 1,024 tokens on in steps of
    /// 128.
    private static Counted readAtOpenAi(List<JsonNode> bodies) {
        List<String> before = new ArrayList<>();
        long input = 0;
        long read = 0;
        for (JsonNode body : bodies) {
            StringBuilder whole = new StringBuilder(body.path("tools").toString()).append(body.path("response_format"));
            body.path("messages").forEach(message -> whole.append(FakeProvider.text(message.path("content"))));
            // A request that may search has its messages here.
            body.path("input").forEach(message -> whole.append(ResponsesForm.text(message.path("content"))));
            String request = whole.toString();
            int tokens = before.stream().mapToInt(earlier -> common(earlier, request)).max().orElse(0) / CHARACTERS;
            input += request.length() / CHARACTERS;
            read += tokens < LEAST ? 0 : tokens / 128 * 128;
            before.add(request);
        }
        return new Counted(input, read);
    }

    private static int common(String one, String other) {
        int at = 0;
        while (at < one.length() && at < other.length() && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }

    /// The example's scripts, by step.
    private static Map<String, String[]> scripts() throws IOException {
        Map<String, String[]> scripts = new HashMap<>();
        Files.readAllLines(Path.of("src/test/resources/bird-strikes-scripts.csv")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\\|", -1)).forEach(row -> scripts.put(row[0], row));
        return scripts;
    }

    private static Execution execution(String[] row) {
        Double score = row[1].isEmpty() ? null : Double.valueOf(row[1]);
        boolean failed = !row[3].isEmpty();
        String bug = failed ? "Traceback (most recent call last):\n" + row[3] : null;
        String printed = score == null ? "baseline 0.78, without the words 0.77, without the dates 0.775"
                : "Final Validation Performance: " + score;
        return Execution.of(new EvaluationResult(Score.printed(score), printed, "", failed ? 1 : 0, 1, failed, bug),
                false, row[2].isEmpty() ? null : new Execution.Submission("kept.csv", 10, Long.parseLong(row[2])), bug);
    }

    private static List<JsonNode> asked(Provider provider) throws IOException {
        Map<String, String[]> scripts = scripts();
        try (FakeProvider server = provider.start(Answerer.recording(Program.EXAMPLE.resolve("answers")))) {
            YAMLMapper yaml = new YAMLMapper();
            TaskDescription task = Json.readStrictly(yaml.readTree(Program.EXAMPLE.resolve("task.yaml").toFile()),
                    TaskDescription.class);
            ObjectNode config = (ObjectNode) yaml.readTree(Program.EXAMPLE.resolve("config.yaml").toFile());
            RunContext context = new RunContext(task,
                    PipelineConfig.resolve(config.put("model", provider.modelName()), Map.of()), FACTS);
            AgentCaller caller = new AgentCaller(new Models(provider.environment(server.url())), Prompts.load(Map.of()),
                    new ToolSessions(() -> {
                        throw new Invalid("no commands here");
                    }, null, ExternalTools.NONE, Map.of(), new ToolFailures()), new DataSets(Map.of()));
            String[] unknown = {"", "", "", "ValueError: not in the recording"};
            World world = new World(1, 0)
                    .asking(question -> caller.ask(Optional.of(question.step()), question.agent(), question.context(),
                            question.timeout(), question.second(),
                            () -> Path.of(question.context().task().dataDir())))
                    .running(job -> execution(scripts.getOrDefault(job.step().inside(), unknown)));
            new Pipeline().run(new DirectSteps(context, world, StepPath.root("birds")));
            return server.received().stream().map(FakeProvider.Received::body).toList();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ANTHROPIC", "OPENAI"})
    void twoFifthsOfTheInputAreReadFromTheCache(Provider provider) throws IOException {
        List<JsonNode> bodies = asked(provider);
        Counted counted =
                provider == Provider.ANTHROPIC ? readAtAnthropic(bodies) : readAtOpenAi(bodies);
        System.out.printf(Locale.ROOT, "%s: %d requests, %d tokens, %.0f %% of them read from the cache%n", provider,
                bodies.size(), counted.input(), 100 * counted.share());
        assertThat(bodies).hasSizeGreaterThan(60);
        assertThat(counted.share()).isGreaterThan(LEAST_SHARE);
        if (provider == Provider.ANTHROPIC) {
            areMarkedAndStayTheSame(bodies);
        }
    }

    private static void areMarkedAndStayTheSame(List<JsonNode> bodies) {
        assertThat(bodies).allSatisfy(body -> assertThat(body.findValues("cache_control")).hasSizeBetween(1, 4));
        List<JsonNode> parted = bodies.stream().map(body -> body.path("messages").path(0).path("content"))
                .filter(content -> content.size() == 2).toList();
        assertThat(parted).isNotEmpty().allSatisfy(content -> {
            assertThat(content.path(0).path("cache_control").path("type").asText()).isEqualTo("ephemeral");
            assertThat(content.path(1).has("cache_control")).isFalse();
        });
        assertThat(parted).anySatisfy(content -> assertThat(content.path(1).path("text").asText())
                .startsWith("\n```\n\nYou are a Kaggle grandmaster"));
    }
}
