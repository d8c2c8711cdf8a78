package io.mlestar.core.phase;

import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;

/// All that a test gives (the answers of the agents, what fails, where the run has to stop) and all
/// that it looks at afterwards: every step that was asked, in order. An agent without an answer is
/// an error of the test; only the checks that most tests do not care about (leakage, data,
/// subsampling) have one: nothing found.
final class Scenario {
    /// A step that was asked, as the one who does it sees it.
    private record Call(String path, Step<?> step) {}

    /// Empty where the rule does not apply.
    private interface Rule {
        Optional<String> answer(String path, Agent<?> agent);
    }

    private final PipelineConfig config;
    private MetricDirection direction = MetricDirection.MAXIMIZE;
    private Facts facts = Facts.NONE;
    private final Deque<Rule> rules = new ArrayDeque<>();
    private final Set<String> failing = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private String last;
    private boolean stopping;
    private final List<Call> calls = new ArrayList<>();
    private final List<List<String>> together = new ArrayList<>();

    /// @param config fields that differ from the defaults
    Scenario(Map<String, ?> config) {
        this.config = PipelineConfig.resolve(Json.tree(config), Map.of());
        answer(Leakage.class, asked -> Texts.CLEAN);
        answer(Data.class, asked -> Texts.ALL_USED);
        answer(SubsamplingExtract.class, asked -> "Nothing is subsampled here.");
    }

    /// The harness hides rows: what [MadeUpPython] gives has a validation where a script says what
    /// it is.
    Scenario hideRows() {
        return hideFolds("d1", 1);
    }

    /// The same, of several folds.
    Scenario hideFolds(int folds) {
        return hideFolds(MadeUpPython.FOLDED, folds);
    }

    private Scenario hideFolds(String digest, int folds) {
        facts = facts.hiding(new Holdout(digest, "at random", Collections.nCopies(folds, 100), 100, false,
                List.of("train.csv"), null));
        return this;
    }

    /// So many scripts run at once.
    Scenario at(int slots) {
        facts = facts.on(MachineFacts.UNKNOWN.with(slots));
        return this;
    }

    Scenario minimize() {
        direction = MetricDirection.MINIMIZE;
        return this;
    }

    /// A rule for one agent; later rules come first, null leaves it to the others.
    <A extends Agent<?>> Scenario answer(Class<A> type, Function<A, String> answer) {
        rules.addFirst((path, agent) -> type.isInstance(agent) ? Optional.ofNullable(answer.apply(type.cast(agent)))
                : Optional.empty());
        return this;
    }

    /// The answers of one agent, one after the other.
    Scenario answers(Class<? extends Agent<?>> type, String... answers) {
        Deque<String> left = new ArrayDeque<>(List.of(answers));
        return answer(type, asked -> left.poll());
    }

    Scenario answerAt(String step, String answer) {
        rules.addFirst((path, agent) -> path.equals(step) ? Optional.of(answer) : Optional.empty());
        return this;
    }

    /// The tool of these steps is out of reach, or the phases give up.
    Scenario fail(String... paths) {
        failing.addAll(List.of(paths));
        return this;
    }

    /// The run stops just these steps, as when a phase has used up its time.
    Scenario stop(String... paths) {
        refused.addAll(List.of(paths));
        return this;
    }

    /// The run has to finish when this step is asked: it and all that follow are refused, but for
    /// finalization.
    Scenario stopFrom(String path) {
        last = path;
        return this;
    }

    RunContext context() {
        TaskDescription task = new TaskDescription(
                "made-up", TaskType.TABULAR, DataModality.TABULAR, "metric", direction, "Predict y.", null, null);
        return new RunContext(task, config, "no GPU", facts);
    }

    Steps steps() {
        return new ScriptedSteps(this, "");
    }

    <R> Outcome<R> outcome(Phase<R> phase) {
        return ScriptedSteps.play(phase, steps());
    }

    <R> R play(Phase<R> phase) {
        return outcome(phase).orThrow(phase.name());
    }

    boolean refuses(String path) {
        stopping |= path.equals(last);
        return refused.contains(path) || stopping && !path.startsWith("finalization");
    }

    boolean fails(String path) {
        return failing.contains(path);
    }

    void asked(String path, Step<?> step) {
        calls.add(new Call(path, step));
    }

    void askedTogether(List<String> paths) {
        if (paths.size() > 1) {
            together.add(paths);
        }
    }

    String answer(String path, Agent<?> agent) {
        return rules.stream().map(rule -> rule.answer(path, agent)).flatMap(Optional::stream).findFirst()
                .orElseThrow(() -> new AssertionError("the test has no answer for " + path + ": " + agent));
    }

    /// Paths of all agents and scripts that were asked, in order.
    List<String> leaves() {
        return calls.stream().filter(call -> !(call.step() instanceof Phase<?>)).map(Call::path).toList();
    }

    /// Paths of all phases that were begun, in order.
    List<String> phases() {
        return calls.stream().filter(call -> call.step() instanceof Phase<?>).map(Call::path).toList();
    }

    /// The steps of one kind that were asked, in order.
    <S extends Step<?>> List<S> asked(Class<S> type) {
        return calls.stream().map(Call::step).filter(type::isInstance).map(type::cast).toList();
    }

    /// The scripts that were run, in order.
    List<String> ran() {
        return asked(RunScript.class).stream().map(RunScript::content).toList();
    }

    /// Steps that were asked for in parallel.
    List<List<String>> together() {
        return together;
    }
}
