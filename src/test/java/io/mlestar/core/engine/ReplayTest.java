package io.mlestar.core.engine;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.records.Journal;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Steps;
import module java.base;
import org.junit.jupiter.api.Test;

/// Given these results, expect these requests.
class ReplayTest {
    private static final RunContext BRIEF = World.header("r", "{}").context();
    private static final Coder FIRST = new Coder("x = 1", "make it two", null, null);
    private static final Coder SECOND = new Coder("x = 1", "make it three", null, null);

    /// A phase made of a function, for tests.
    private record Scene(Function<Steps, String> scene) implements Phase<String> {
        @Override
        public String run(Steps steps) {
            return scene.apply(steps);
        }

        @Override
        public String name() {
            return "scene";
        }

        @Override
        public String title() {
            return "Scene";
        }

    }

    private final Map<String, KnownStep> journal = new LinkedHashMap<>();

    private Replay.ReplayResult<String> play(Function<Steps, String> scene) {
        return Replay.play(new Scene(scene), BRIEF, new Journal(journal));
    }

    private void asked(String name, Step<?> step) {
        journal.put(name, new KnownStep(StepPath.root("r").child(name),
                StepRequest.of(step, World.NOW, World.NOW), Optional.empty()));
    }

    private void answered(String name, Step<?> step, String text) {
        Answer answer = new Answer(text, new Answer.Usage("m", 0, 0, 0, 0.0, 0), null, "", "");
        ended(name, step, new Outcome.Done<>(answer));
    }

    private void ended(String name, Step<?> step, Outcome<?> outcome) {
        journal.put(name, new KnownStep(StepPath.root("r").child(name), StepRequest.of(step, World.NOW, World.NOW),
                Optional.of(StepResult.of(outcome, World.NOW, World.NOW, 0.0))));
    }

    private static String code(String code) {
        return "```python\n" + code + "\n```";
    }

    @Test
    void aKnownStepAnswersAtOnceAndTheNextOneIsAskedFor() {
        answered("coder", FIRST, code("x = 2"));
        var turn = play(steps -> steps.call(FIRST).codeBlock() + steps.call(SECOND).codeBlock());
        assertThat(turn).isEqualTo(new Replay.ReplayResult.Waiting<>(Map.of("coder-2", SECOND)));
    }

    @Test
    void callAllAsksForEverythingThatIsMissingAndAnswersInOrder() {
        asked("coder", FIRST);
        Function<Steps, String> both = steps -> steps.<Reply.Block>callAll(List.of(FIRST, SECOND)).stream()
                .map(outcome -> outcome.orThrow("coder").codeBlock()).reduce("", String::concat);
        assertThat(play(both)).isEqualTo(new Replay.ReplayResult.Waiting<>(Map.of("coder-2", SECOND)));
        answered("coder-2", SECOND, code("b = 1"));
        assertThat(play(both)).isEqualTo(new Replay.ReplayResult.Waiting<>(Map.of()));
        answered("coder", FIRST, code("a = 1"));
        assertThat(play(both)).isEqualTo(new Replay.ReplayResult.Finished<>(new Outcome.Done<>("a = 1b = 1")));
    }

    @Test
    void anUnreadableAnswerIsAFailureThatThePhaseSees() {
        answered("coder", FIRST, "I would rather not.");
        assertThat(play(steps -> steps.attempt(FIRST).map(Object::toString).orElse("nothing")))
                .isEqualTo(new Replay.ReplayResult.Finished<>(new Outcome.Done<>("nothing")));
    }

    @Test
    void failuresAndStopsPassThroughAPhaseThatDoesNotCatchThem() {
        ended("coder", FIRST, new Outcome.Failed<>("no model"));
        assertThat(play(steps -> steps.call(FIRST).codeBlock()))
                .isEqualTo(new Replay.ReplayResult.Finished<>(new Outcome.Failed<>("coder: no model")));
        ended("coder", FIRST, new Outcome.Stopped<>("no money"));
        assertThat(play(steps -> steps.attempt(FIRST).toString()))
                .isEqualTo(new Replay.ReplayResult.Finished<>(new Outcome.Stopped<>("no money")));
    }

    @Test
    void aPhaseCannotSwallowTheSignalThatSuspendsIt() {
        var turn = play(steps -> {
            try {
                return steps.call(FIRST).codeBlock();
            } catch (Exception e) {
                return "swallowed";
            }
        });
        assertThat(turn).isInstanceOf(Replay.ReplayResult.Waiting.class);
    }

    @Test
    void askingSomethingElseThanWasRecordedIsReportedWithBoth() {
        answered("coder", SECOND, code("x = 3"));
        refusal(Replay.Divergence.class, () -> play(steps -> steps.call(FIRST).codeBlock())).contains("coder",
                "make it three", "make it two");
    }
}
