package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.UnreadableAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// An answer that is not whole is marked, kept and told apart from one that is.
class ShortfallTest {
    private static final Planner PLANNER = new Planner("x = 1", null, List.of("scale it"), List.of(0.5));

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
    @CsvSource({"refusal, REFUSED, ''", "pause_turn, PAUSED, so far",
        "model_context_window_exceeded, TRUNCATED, so far", "end_turn,, so far",
        "stop_sequence,, so far"})
    void anthropicsReasonsToStopAreToldApart(String reason, Shortfall shortfall, String text) throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always("never"))) {
            server.plan(new Fault.Foreign(200, "application/json",
                    """
                            {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [{"type": "text", "text": "so far"}],
                             "stop_reason": "%s", "stop_sequence": null, "usage": {"input_tokens": 7, "output_tokens": 2}}"""
                            .formatted(reason)));
            Answer answer = Provider.ANTHROPIC.model(server).ask(LanguageModelTest.question());
            assertThat(answer.shortfall()).isEqualTo(shortfall);
            assertThat(answer.text()).isEqualTo(text);
            assertThat(answer.usage().inputTokens()).isEqualTo(7);
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
    void aCutAnswerIsReadAsFarAsItGoes() {
        Answer.Usage usage = new Answer.Usage("m", 1, 2, 0, null, 0.5);
        io.mlestar.core.agent.Reply.Plan plan =
                new Answer("Use logarithms, and", usage, Shortfall.TRUNCATED, "", "").readBy(PLANNER);
        assertThat(plan.plan()).isEqualTo("Use logarithms, and");
        assertThatThrownBy(() -> new Answer(" ", usage, Shortfall.TRUNCATED, "", "").readBy(PLANNER))
                .isInstanceOf(UnreadableAnswer.class)
                .hasMessageStartingWith("the answer was cut at the model's limit of output tokens: ");
    }

    @Test
    void aCutProgramIsNotRead() {
        Answer.Usage usage = new Answer.Usage("m", 1, 2, 0, null, 0.5);
        Coder coder = new Coder("x = 1", "Double it.", null);
        assertThat(new Answer("```python\nx = 2\n```\nNow it is tw", usage, Shortfall.TRUNCATED, "", "").readBy(coder)
                .codeBlock()).isEqualTo("x = 2");
        for (String cut : List.of("```python\nx = 2\nfor i in ran", "x = 2\nfor i in ran",
                "```python\nx = 1\n```\nbecomes\n```python\nx = ")) {
            assertThatThrownBy(() -> new Answer(cut, usage, Shortfall.TRUNCATED, "", "").readBy(coder))
                    .isInstanceOf(UnreadableAnswer.class)
                    .hasMessage("the answer was cut at the model's limit of output tokens");
        }
    }

    @Test
    void anEarlierRunIsReplayedWithItsShortfalls(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("steps/phase1"));
        Files.writeString(folder.resolve("steps/phase1/init.result.json"), """
                {"status": "done", "value": {"text": "half", "shortfall": "TRUNCATED"}}""");
        Files.writeString(folder.resolve("steps/phase1/data.result.json"), """
                {"status": "done", "value": {"text": "whole"}}""");
        assertThat(answer(folder, "init").shortfall()).isEqualTo(Shortfall.TRUNCATED);
        assertThat(answer(folder, "data").shortfall()).isNull();
    }

    private static Answer answer(Path folder, String agent) {
        ModelRequest question = LanguageModelTest.question();
        return RecordedModel.open(folder)
                .ask(new ModelRequest(Optional.of(StepPath.parse("r/phase1/" + agent)), agent, question.system(),
                        question.prompt(), question.tools(), question.turns(), question.outputFormat(),
                        question.price(), question.timeout(), question.traits()));
    }
}
