import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;

/// The pipeline as a library: the jar `core`, Jackson, jboss-logging, and a [Performer] of one's own that asks the agents and runs the
/// scripts. This one does neither: a script "scores" by its length. Started again on the same folder it goes on where it was.
void main(String[] arguments) {
    Records records = new Records(new FolderStore(Path.of(arguments[0])));
    Queue<Event> events = new ArrayDeque<>();
    Engine engine = new Engine(records, events::add, new Pretender(), Clock.systemUTC(), new Watcher() {});
    PipelineConfig config = PipelineConfig.resolve(Json.object().put("outer_loop_steps", 2), Map.of());
    TaskDescription task = new TaskDescription("demo", TaskType.TABULAR, DataModality.TABULAR, "length", MetricDirection.MAXIMIZE,
            "Write a long script.", arguments[0], null);
    engine.start(new RunHeader("demo", task, config, "a laptop", "1", "no prompts", Instant.now(),
            Instant.now().plusSeconds(config.limits().timeLimitSeconds()), null, null));
    while (!records.isAnnounced("demo")) {
        engine.work(Event.stepOf(events.remove().data()));
    }
    FinalResult result = RunFiles.result(records, "demo").orElseThrow();
    IO.println("best score " + result.bestScore() + " by\n" + result.finalSolution().content());
}

/// Stands for a model and for Python.
record Pretender() implements Performer {
    @Override
    public String promptDigest(AgentType agent) {
        return "no prompts";
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, RunContext context, Duration timeout, RetryApproval second) {
        String text = switch (agent.name()) {
            case "retriever" -> """
                    {"models": [{"model_name": "ridge", "example_code": "Ridge()"}, {"model_name": "trees", "example_code": "Trees()"}]}""";
            case "extractor" -> """
                    {"plans": [{"code_block": "fit()", "plan": "Fit it twice."}]}""";
            case "leakage" -> """
                    {"answers": [{"leakage_status": "No Data Leakage", "code_block": ""}]}""";
            case "coder" -> "```python\nfit()\nfit()\n```";
            case "summarize", "planner", "ens_planner", "data", "test-subsampling_extract" -> "Fit it more often.";
            default -> "```python\n# " + step.inside() + "\nfit()\nprint('Final Validation Performance: 1')\n```";
        };
        return new Answer(text, new Answer.Usage("nobody", 0, 0, 0, 0.0, 0), null, "", "");
    }

    @Override
    public Harness harness(StepPath step, RunContext context) {
        throw new StepFailed("no rows are hidden");
    }

    @Override
    public Execution run(StepPath step, RunScript script, RunContext context, Window window, Begin begin) {
        begin.attempt();
        double score = script.content().length();
        return Execution.of(new EvaluationResult(Score.printed(score), "Final Validation Performance: " + score, "", 0, 0.1, false, null), false, null, null);
    }
}
