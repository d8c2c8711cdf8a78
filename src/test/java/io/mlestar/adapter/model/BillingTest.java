package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.FreePort;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Price;
import module java.base;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The cost of a call, before it is made; and what a provider may ask money for, whether or not
/// anybody could read it. A budget holds whatever providers tell of their tokens: it is passed by
/// what one turn costs at most.
@Timeout(300)
class BillingTest {
    private static final ModelRequest QUESTION = Questions.question();
    private static final double ESTIMATE = QUESTION.estimate(Questions.PRICE);

    private static final Models MODELS = new Models(Map.of("ANTHROPIC_API_KEY", "k", "OPENAI_API_KEY", "k"));
    private static final Offset<Double> EXACT = Offset.offset(1e-12);

    private static final Price DEAR = new Price(3, 15);
    private static final double BUDGET = 0.5;
    private static final int STEPS = 30;
    private static final int TOOL_TURNS = 5;
    private static final String PROMPT = "x".repeat(40_000);
    private static final ModelRequest WITH_TOOLS =
            Questions.at(DEAR, Questions.of(PROMPT, Questions.withTools().tools()));
    private static final List<String> OUTPUTS =
            List.of("output_tokens", "completion_tokens", "candidatesTokenCount", "eval_count");
    private static final List<String> INPUTS = List.of("input_tokens", "prompt_tokens", "promptTokenCount",
            "prompt_eval_count", "cache_creation_input_tokens", "cache_read_input_tokens");
    private static final List<String> COUNTS = List.of("usage", "usageMetadata", "prompt_eval_count", "eval_count");

    private final OneEngine engine = new OneEngine();
    private final RunHeader run = World.header("r", "{\"max_budget_usd\": " + BUDGET + "}");

    private static double cost(Provider provider, Fault... faults) throws IOException {
        try (FakeProvider server = provider.saying("fine")) {
            server.plan(faults);
            Answer answer = provider.model(server).ask(QUESTION);
            assertThat(answer.text()).isEqualTo("fine");
            return answer.usage().costUsd();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-027")
    void aTryIsCountedIfTheProviderMayHaveBilledIt(Provider provider) throws IOException {
        double plain = cost(provider);
        for (Fault fault : List.of(Fault.Malformed.BODY, Fault.Cut.BEFORE_THE_ANSWER, Fault.Cut.IN_THE_BODY)) {
            assertThat(cost(provider, fault) - plain).as("%s", fault).isBetween(ESTIMATE * 0.9, ESTIMATE * 1.5);
        }
        assertThat(cost(provider, Fault.Malformed.BODY, Fault.Cut.IN_THE_BODY) - plain).as("two of them")
                .isGreaterThan(ESTIMATE * 1.8);
        for (Fault fault : List.of(Fault.status(429), Fault.status(500), Fault.status(529),
                new Fault.Foreign(200, "text/html", "<html>Sign in</html>"))) {
            assertThat(cost(provider, fault)).as("%s", fault).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-029")
    void whoeverGivesUpSaysWhatItMayHaveCost(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(Collections.nCopies(4, Fault.Cut.IN_THE_BODY).toArray(Fault[]::new));
            assertThat(billed(provider.model(server), QUESTION))
                    .isBetween(ESTIMATE * 3.6, ESTIMATE * 6);

            server.plan(Fault.Malformed.BODY, Fault.Malformed.BODY);
            assertThat(catchThrowableOfType(StepFailed.class,
                    () -> provider.model(server).ask(QUESTION)).billedUsd())
                    .isBetween(ESTIMATE * 1.8, ESTIMATE * 3);

            server.plan(Collections.nCopies(4, Fault.status(503)).toArray(Fault[]::new));
            assertThat(billed(provider.model(server), QUESTION)).isZero();

            assertThat(billedTooLate(server, provider, QUESTION)).isBetween(ESTIMATE * 0.9, ESTIMATE * 1.5);

            if (provider != Provider.OLLAMA) {
                assertThat(billedTooLate(server, provider, Questions.at(null, QUESTION))).as("the price is unknown")
                        .isNull();
            }
        }
    }

    @Test
    void nobodyBillsAConnectionThatWasNeverMade() throws IOException {
        String url = "http://127.0.0.1:" + FreePort.any();
        Model model = new Models(Provider.ANTHROPIC.environment(url), InstantSource.system(), pause -> {},
                ModelCallListener.NONE).get("anthropic:made-up");
        assertThat(billed(model, QUESTION)).isZero();
        assertThat(billed(model, Questions.at(null, QUESTION))).isZero();
    }

    /// By a server that answers too late. Where a machine is so busy that the time is over before
    /// the server is asked, there is more of it.
    private static Double billedTooLate(FakeProvider server, Provider provider, ModelRequest question) {
        int before = server.received().size();
        Double billed = null;
        for (Duration time = Duration.ofMillis(100); server.received().size() == before; time = time.multipliedBy(2)) {
            server.plan(Fault.slow(Duration.ofHours(1)));
            billed = billed(provider.model(server), Questions.within(time, question));
        }
        return billed;
    }

    private static Double billed(Model model, ModelRequest question) {
        return catchThrowableOfType(ModelUnavailable.class, () -> model.ask(question)).billedUsd();
    }

    private static ModelRequest asking(int characters) {
        return new ModelRequest(Optional.empty(), "coder", "s".repeat(4_000), "p".repeat(characters), List.of(), 1,
                Optional.empty(), Optional.empty(), Waiting.MOST, ModelRequest.Traits.NONE);
    }

    @ParameterizedTest(name = "a prompt of {0} characters: {1} tokens in, {2} out")
    @CsvSource({"0, 1000, 500", "400, 1100, 500", "12000, 4000, 3000", "400000, 101000, 8000"})
    void theAnswerIsTakenToBeAsLongAsThePromptWithinLimits(int characters, long in, long out) {
        double usd = asking(characters).estimate(Questions.PRICE);
        assertThat(usd).isEqualTo((in * 3 + out * 15) / 1e6, EXACT);
    }

    @Test
    void thePriceIsTheConfiguredOneElseTheListPriceElseUnknown() {
        ModelRequest unpriced = asking(12_000);
        assertThat(MODELS.get("sonnet").estimate(unpriced)).hasValueCloseTo((4_000 * 2 + 3_000 * 10) / 1e6, EXACT);
        assertThat(MODELS.get("sonnet").estimate(Questions.at(new Price(1, 1), unpriced)))
                .hasValueCloseTo(0.007, EXACT);
        assertThat(MODELS.get("openai:nobody-knows").estimate(unpriced)).isEqualTo(OptionalDouble.empty());
        assertThat(MODELS.get("ollama:any").estimate(unpriced)).hasValue(0);
    }

    @Test
    void aLongPromptCostsMoreWhereItsModelSaysSo() {
        assertThat(MODELS.get("haiku").estimate(asking(380_000)))
                .hasValueCloseTo((96_000 * 0.1 + 8_000 * 0.5) / 1e6, EXACT);
        assertThat(MODELS.get("haiku").estimate(asking(400_000)))
                .hasValueCloseTo((101_000 * 0.5 + 8_000 * 2.5) / 1e6, EXACT);
    }

    /// The value that comes in place of each count of a turn.
    enum Odd {
        NONE(_ -> null), NULL(_ -> "null"), WORD(_ -> "\"many\""), ZERO(_ -> "0"), NEGATIVE(_ -> "-5"),
        FRACTION(_ -> "0.5"), ABOVE_31_BITS(_ -> "2147483648"),
        ABOVE_63_BITS(_ -> "9223372036854775808"), HUGE(_ -> "9000000"),
        IN_THE_FIRST_TURN_ONLY(turn -> turn == 1 ? "1000" : null),
        IN_THE_LAST_TURN_ONLY(turn -> turn == TOOL_TURNS + 1 ? "1000" : null);

        private final IntFunction<String> count;

        Odd(IntFunction<String> count) {
            this.count = count;
        }

        JsonNode in(JsonNode answer, int turn) {
            String instead = count.apply(turn);
            ObjectNode odd = answer.deepCopy();
            for (String name : COUNTS) {
                if (instead == null) {
                    odd.remove(name);
                } else if (odd.path(name) instanceof ObjectNode usage) {
                    usage.properties().stream().filter(field -> field.getValue().isNumber())
                            .forEach(field -> field.setValue(Json.parse(instead)));
                } else if (odd.has(name)) {
                    odd.set(name, Json.parse(instead));
                }
            }
            return odd;
        }
    }

    /// Steps one after the other, each with tools, until their money is up.
    ///
    /// @return the end of the last one
    private StepResult spend(Model model, ModelRequest question) {
        engine.world.estimate = model.estimate(question).orElseThrow();
        engine.world.asking(asked -> model.ask(question.with(asked.second())));
        StepRequest root = World.begun(engine.records, run);
        StepPath step = StepPath.root("r");
        for (int i = 1; i <= STEPS; i++) {
            step = StepPath.parse("r/summarize" + (i == 1 ? "" : "-" + i));
            engine.records.create(step, new StepRequest("agent/summarize", Json.tree(new Summarize("x", "y")),
                    root.work(), World.NOW, run.deadline(), false));
            engine.engine.work(step);
        }
        return engine.records.result(step).orElseThrow();
    }

    private double spent() {
        return new Ledger(engine.records).spent("r");
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-029")
    void theBudgetIsPassedByOneTurnAtMost(Provider provider) throws IOException {
        for (Odd odd : Odd.values()) {
            BillingTest one = new BillingTest();
            int[] turn = {0};
            try (FakeProvider server = provider.start(asked -> {
                turn[0] = asked.toolResults().size() + 1;
                return turn[0] > TOOL_TURNS ? Reply.text("An answer.")
                        : Reply.calls(Reply.call("Read", "{\"path\": \"a.csv\"}"));
            })) {
                server.rewrite(answer -> odd.in(answer, turn[0]));
                StepResult last = one.spend(provider.model(server), WITH_TOOLS);
                long sent = server.received().stream().mapToLong(request -> request.body().toString().length()).sum();
                double turnUsd = odd == Odd.HUGE ? DEAR.of(3 * 9_000_000L, 2 * 9_000_000L, 0, 0)
                        : DEAR.of(60_000, 100_000, 0, 0);
                assertThat(one.spent()).as("%s", odd).isBetween(DEAR.of(sent / 8, 0, 0, 0), BUDGET + turnUsd);
                assertThat(last.status()).as("%s", odd).isEqualTo(StepResult.Status.STOPPED);
                assertThat(last.ending().toString()).contains("budget of $0.5000");
                assertThat(server.received()).as("%s", odd).hasSizeBetween(1, 40);
            }
        }
    }

    private static String paused(String usage) {
        return """
                {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "pause_turn", "stop_sequence": null, "content": [
                 {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "best model"}},
                 {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, {"type": "text", "text": "I look on."}]%s}"""
                .formatted(usage);
    }

    @Test
    void whatAProviderSearchesIsPaidForBeforeItGoesOn() throws IOException {
        String thousand =
                ", \"usage\": {\"input_tokens\": 7, \"output_tokens\": 2, \"server_tool_use\": {\"web_search_requests\": 1000}}";
        for (String usage : List.of(thousand, "", thousand.replace("1000", "-1"),
                thousand.replace("1000", "4000000000"))) {
            BillingTest one = new BillingTest();
            try (FakeProvider server = Provider.ANTHROPIC.saying("never")) {
                server.rewrite(_ -> Json.parse(paused(usage)));
                ModelRequest search = Questions.of(new Retriever("Predict y.", 1, null), true, _ -> List.of());
                one.spend(new Models(Provider.ANTHROPIC.environment(server.url())).get("anthropic:claude-sonnet-5"),
                        search);
                double turnUsd = usage.equals(thousand) ? 10.1 : 0.5;
                assertThat(one.spent()).as(usage).isBetween(0.3, BUDGET + turnUsd);
                assertThat(server.received().size()).as("%s, by its searches", usage).isLessThan(60);
            }
        }
    }

    /// The text has 20 kB, and the prompt has 40 kB.
    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-029")
    void aUsageThatIsFarTooSmallForItsTextIsNone(Provider provider) throws IOException {
        String script = "score = model.fit(train).score(valid)\n".repeat(530);
        try (FakeProvider server = provider.saying(script)) {
            for (int told : List.of(1, 400)) {
                server.rewrite(answer -> with(OUTPUTS, told, answer));
                assertThat(provider.model(server).ask(WITH_TOOLS).usage().outputTokens()).as("%d out", told)
                        .isGreaterThan(script.length());
                server.rewrite(answer -> with(INPUTS, told, answer));
                assertThat(provider.model(server).ask(WITH_TOOLS).usage().inputTokens()).as("%d in", told)
                        .isGreaterThan(PROMPT.length());
            }
            server.rewrite(answer -> with(OUTPUTS, 700, answer));
            assertThat(provider.model(server).ask(WITH_TOOLS).usage().outputTokens()).as("as of mere white space")
                    .isEqualTo(700);
        }
    }

    private static JsonNode with(List<String> counts, int told, JsonNode answer) {
        ObjectNode odd = answer.deepCopy();
        counts.forEach(name -> odd.findParents(name).forEach(usage -> ((ObjectNode) usage).put(name, told)));
        return odd;
    }
}
