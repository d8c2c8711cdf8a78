package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Half a program is not run: it is asked for once more, shorter, within the same answer.
class CutAnswerTest {
    private static final String CODE = "x = [value * 2 for value in range(1000)]\n".repeat(40).strip();
    private static final String PROGRAM = "```python\n" + CODE + "\n```\n";
    private static final Coder CODER = new Coder("x = 1", "Double it.", null, null);
    private static final Price PRICE = new Price(3, 15);

    private static final Planner PLANNER = new Planner("x = 1", null, List.of("scale it"), List.of(0.5), null, null);

    static RunContext context() {
        return new RunContext(
                new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE,
                        "Predict y.", null, null),
                PipelineConfig.defaults(), "no GPU");
    }

    private static ModelRequest question(Agent<?> agent) {
        ModelRequest made =
                ModelRequest.of(Optional.empty(), agent, Prompts.load(java.util.Map.of()), context(), Waiting.MOST,
                        names -> List.of(), false);
        return new ModelRequest(made.step(), made.agent(), made.system(), made.prompt(), made.tools(), made.turns(),
                made.outputFormat(),
                Optional.of(PRICE), made.timeout(), made.traits());
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-027")
    void halfAProgramIsAskedForAgainShorterAndBothArePaidFor(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always(PROGRAM))) {
            Model model = provider.model(server);
            double once = model.ask(question(CODER)).usage().costUsd();
            server.plan(Fault.truncated());
            Answer answer = model.ask(question(CODER));
            assertThat(answer.shortfall()).isNull();
            assertThat(answer.readBy(CODER).codeBlock()).isEqualTo(CODE);
            assertThat(answer.usage().costUsd()).isGreaterThan(1.4 * once);
            assertThat(server.received()).hasSize(3);
            assertThat(server.received().get(1).body().toString()).doesNotContain("cut off at the limit");
            assertThat(server.received().getLast().body().toString())
                    .containsOnlyOnce("Answer again, whole and much shorter");
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void itIsAskedForOnceMoreOnlyAndThenNotRead() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always(PROGRAM))) {
            server.plan(Fault.truncated(), Fault.truncated(), Fault.truncated());
            Answer answer = Provider.ANTHROPIC.model(server).ask(question(CODER));
            assertThat(server.received()).hasSize(2);
            assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
            assertThatThrownBy(() -> answer.readBy(CODER)).isInstanceOf(UnreadableAnswer.class)
                    .hasMessage("the answer was cut at the model's limit of output tokens");
        }
    }

    @Test
    void ifThatFailsTheOneThatWasCutIsKeptAndPaidFor() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always(PROGRAM))) {
            server.plan(Fault.truncated(), Fault.status(400));
            Answer answer = Provider.ANTHROPIC.model(server).ask(question(CODER));
            assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
            assertThat(answer.text()).startsWith("```python");
            assertThat(answer.usage().costUsd()).isPositive();
        }
    }

    @Test
    @Requirement("REQ-OR-029")
    void whoCountsTheMoneyIsToldFirstWhatItHasCostAndMayCostAndCanSayNo() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always(PROGRAM))) {
            server.plan(Fault.truncated());
            List<Double> told = new ArrayList<>();
            Answer answer = Provider.ANTHROPIC.model(server).ask(question(CODER).with((paid, estimate) -> {
                told.addAll(List.of(paid, estimate));
                return false;
            }));
            assertThat(server.received()).hasSize(1);
            assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
            assertThat(told).hasSize(2).first().isEqualTo(answer.usage().costUsd());
            assertThat(told.getLast()).as("no less than the first one").isGreaterThanOrEqualTo(told.getFirst());
        }
    }

    @Test
    void whatCanBeReadThoughItWasCutIsNotAskedForAgain() throws IOException {
        Planner planner = new Planner("x = 1", null, List.of("scale it"), List.of(0.5), null, null);
        String chatter = "It doubles. ".repeat(400);
        for (Agent<?> agent : List.of(planner, CODER)) {
            try (FakeProvider server =
                    Provider.ANTHROPIC.start(Answerer.always(agent == CODER ? PROGRAM + chatter : chatter))) {
                server.plan(Fault.truncated());
                Answer answer = Provider.ANTHROPIC.model(server).ask(question(agent));
                assertThat(server.received()).hasSize(1);
                assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
                assertThat(answer.readBy(agent)).isNotNull();
            }
        }
    }

    /// Ollama has no sign for it: what the model says instead is its answer.
    @ParameterizedTest
    @EnumSource(names = "OLLAMA", mode = EnumSource.Mode.EXCLUDE)
    void aRefusalIsAnAnswerWithoutText(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(Fault.refusal());
            Answer refused = provider.model(server).ask(LanguageModelTest.question());
            assertThat(refused.shortfall()).isEqualTo(Shortfall.REFUSED);
            assertThat(refused.text()).isEmpty();
            assertThat(server.received()).as("it is not asked again").hasSize(1);
            assertThatThrownBy(() -> refused.readBy(PLANNER)).isInstanceOf(UnreadableAnswer.class)
                    .hasMessage("the model refused to answer");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatOnlyUsesToolsIsStoppedAndPaidFor(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(asked -> Reply.calls(Reply.call("Read", "{\"path\": \"again\"}")))) {
            Answer answer = provider.model(server).ask(LanguageModelTest.withTools());
            assertThat(answer.shortfall()).isEqualTo(Shortfall.UNANSWERED);
            assertThat(answer.text()).isEmpty();
            assertThat(answer.usage().costUsd()).isPositive();
            assertThat(server.received()).hasSize(20);
            assertThat(server.received().getLast().body().toString()).containsOnlyOnce("Answer now.");
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void aCutProgramIsNotRead() {
        Answer.Usage usage = new Answer.Usage("m", 1, 2, 0, null, 0.5);
        Coder coder = new Coder("x = 1", "Double it.", null, null);
        assertThat(new Answer("```python\nx = 2\n```\nNow it is tw", usage, Shortfall.TRUNCATED, "", "").readBy(coder)
                .codeBlock()).isEqualTo("x = 2");
        for (String cut : List.of("```python\nx = 2\nfor i in ran", "x = 2\nfor i in ran",
                "```python\nx = 1\n```\nbecomes\n```python\nx = ")) {
            assertThatThrownBy(() -> new Answer(cut, usage, Shortfall.TRUNCATED, "", "").readBy(coder))
                    .isInstanceOf(UnreadableAnswer.class)
                    .hasMessage("the answer was cut at the model's limit of output tokens");
        }
    }
}
