package io.mlestar.adapter.model;

import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import module java.base;

/// The made-up model behind a provider's server.
@FunctionalInterface
interface Answerer {
    /// @throws io.mlestar.core.step.StepFailed if there is no answer; the server then answers 400
    Reply answer(Asked asked);

    /// The content of a request, whichever provider's form it came in.
    ///
    /// @param step from the headers `x-mlestar-run` and `x-mlestar-step`, which may be the path
    ///   inside the run or the whole path
    /// @param agent from the header `x-mlestar-agent`; empty if there is none
    /// @param prompt the last text of the user
    /// @param tools names of the tools offered
    /// @param toolResults of the tools called so far, in order
    record Asked(Optional<StepPath> step, String agent, String model, String system, String prompt, List<String> tools,
            List<String> toolResults) {}

    static Answerer always(String text) {
        return _ -> Reply.text(text);
    }

    /// Answers as `--model recorded:FOLDER` would, by the very same rules: that is why the real
    /// class is asked. Whoever asks again where the recording does not, because a fault spoiled the
    /// first answer, gets the first answer.
    static Answerer recording(Path folder) {
        RecordedModel recorded = RecordedModel.open(folder);
        return asked -> {
            if (asked.agent().equals("probe")) {
                return Reply.text("ok");
            }
            try {
                return Reply.text(recorded.ask(question(asked, asked.step())).text());
            } catch (StepFailed e) {
                Optional<StepPath> first =
                        asked.step().map(step -> StepPath.parse(step.toString().replaceFirst("-\\d+$", "")));
                return Reply.text(recorded.ask(question(asked, first)).text());
            }
        };
    }

    private static ModelRequest question(Asked asked, Optional<StepPath> step) {
        return new ModelRequest(step, asked.agent(), asked.system(), asked.prompt(), List.of(), 1, Optional.empty(),
                Optional.empty(), Duration.ofMinutes(1), ModelRequest.Traits.NONE);
    }
}
