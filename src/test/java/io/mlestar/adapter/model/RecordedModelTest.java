package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.PromptCode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers to questions that they were written for, and to others.
class RecordedModelTest {
    private static final String PROMPT = "Score 0.7.\n```python\nx = 1\n```\nImprove it.";

    @TempDir
    private Path folder;

    private Answer answer(String step, String prompt) {
        ModelRequest any = LanguageModelTest.question();
        return RecordedModel.open(folder)
                .ask(new ModelRequest(Optional.of(StepPath.parse("r/" + step)),
                        step.substring(step.lastIndexOf('/') + 1),
                        any.system(), prompt, any.tools(), any.turns(), any.outputFormat(), any.price(), any.timeout(),
                        any.traits()));
    }

    private void write(String file, String content) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), content);
    }

    @Test
    void anAnswerThatWasWrittenForOtherCodeSaysSoAndIsGivenAllTheSame() throws IOException {
        write("finalization/test.md", "```python\nx = 2\n```");
        write("written-for.yaml", "finalization/test: \"" + PromptCode.digest(PROMPT) + "\"\n");
        assertThat(answer("finalization/test", PROMPT).shortfall()).isNull();
        assertThat(
                answer("finalization/test", PROMPT.replace("0.7", "0.8").replace("Improve", "Do improve")).shortfall())
                .as("what differs from run to run does not count").isNull();
        Answer other = answer("finalization/test", PROMPT.replace("x = 1", "x = 3"));
        assertThat(other.shortfall()).isEqualTo(Shortfall.MISPLACED);
        assertThat(other.text()).isEqualTo("```python\nx = 2\n```");
    }

    @Test
    void anAnswerOfWhichThatIsNotKnownAndADefaultFitEverything() throws IOException {
        write("phase1/init.md", "one");
        write("defaults/leakage.md", "two");
        write("written-for.yaml", "phase1/other: \"0\"\nphase1/leakage: \"0\"\n");
        assertThat(answer("phase1/init", PROMPT).shortfall()).isNull();
        assertThat(answer("phase1/leakage", PROMPT).shortfall()).isNull();
    }

    @Test
    void anAnswerOfAnEarlierRunWasWrittenForTheCodeOfItsPrompt() throws IOException {
        write("steps/phase1/init.result.json",
                Json.line(Json.object().set("value", Json.object().put("text", "one").put("prompt", PROMPT))));
        assertThat(answer("phase1/init", PROMPT + " Now.").shortfall()).isNull();
        assertThat(answer("phase1/init", PROMPT.replace("x = 1", "x = 3")).shortfall()).isEqualTo(Shortfall.MISPLACED);
    }

    @Test
    void anEarlierRunIsReplayedWithItsShortfalls() throws IOException {
        write("steps/phase1/init.result.json",
                "{\"status\": \"done\", \"value\": {\"text\": \"half\", \"shortfall\": \"TRUNCATED\"}}");
        assertThat(answer("phase1/init", PROMPT).shortfall()).isEqualTo(Shortfall.TRUNCATED);
    }
}
