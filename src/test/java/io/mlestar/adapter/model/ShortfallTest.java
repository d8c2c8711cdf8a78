package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.UnreadableAnswer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// An answer that is not whole is marked, kept and told apart from one that is.
class ShortfallTest {
    private static final Planner PLANNER = new Planner("x = 1", null, List.of("scale it"), List.of(0.5), null, null);

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
