package io.mlestar.core.agent;

import static io.mlestar.core.task.Examples.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.agent.ScriptCoder.RatedScript;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.AttemptRecord.AttemptKind;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;

/// A run and one question to every agent, each with texts of its own that can be found again in the
/// prompt.
final class Given {
    static final Prompts PROMPTS = Prompts.load(Map.of());
    static final String CODE = "df['x'] = df['a'].map(lambda v: f'{v:>3}')  # {plan} $1 \\d";
    static final String TASK = "Predict {M} things; cost $5 \\ item.";

    static final Retriever RETRIEVER = new Retriever(TASK, 4, null);
    static final Init INIT = new Init(TASK, "LightGBM", CODE, null);
    static final Merger MERGER = new Merger("base = 1", "reference = 2", null, null);
    static final Ablation ABLATION = new Ablation(CODE, List.of("Scaling matters.", "Dropout does not."), null);
    static final Summarize SUMMARIZE = new Summarize("print('ablation')", "Baseline: 0.8196, No OneHotEncoder: 0.7886");
    static final Extractor EXTRACTOR =
            new Extractor(CODE, "Encoding matters most.", List.of("    a = 1", "b = 2"), false, null);
    static final Coder CODER = new Coder("    " + CODE, "Use target encoding.", null, null);
    static final Planner PLANNER =
            new Planner(CODE, trial(0.81, null), List.of("plan A", "plan B"), Arrays.asList(0.82, null), null, null);
    static final EnsPlanner ENS_PLANNER = new EnsPlanner(List.of("s = 1", "s = 2", CODE),
            Arrays.asList(trial(0.7, null), null, trial(0.8, null)), List.of("average"), List.of(0.9), null);
    static final Ensembler ENSEMBLER = new Ensembler(List.of("s = 1", CODE),
            List.of(trial(0.7, null), trial(0.8, null)), "Average the probabilities.");
    static final Debugger DEBUGGER = new Debugger(CODE, "Traceback (most recent call last):\nKeyError: 'a'",
            Kind.SOLUTION, null, "crashed: KeyError: 'a'");
    static final Leakage LEAKAGE = new Leakage(CODE);
    static final LeakageCorrection LEAKAGE_CORRECTION =
            new LeakageCorrection(CODE, "scaler.fit(df)", "It scales by all rows.");
    static final Data DATA = new Data(CODE, TASK);
    static final TestSubmission TEST = new TestSubmission(TASK, CODE);
    static final SubsamplingExtract SUBSAMPLING_EXTRACT = new SubsamplingExtract(CODE);
    static final SubsamplingRemove SUBSAMPLING_REMOVE = new SubsamplingRemove("df = df.sample(30000)");
    static final ContaminationCheck CONTAMINATION_CHECK = new ContaminationCheck("I used {LightGBM}.", CODE);

    static final ScriptCoder SCRIPT_CODER =
            new ScriptCoder(null, new RatedScript(CODE, trial(0.8, 12.0), "fold 1: 0.79"), null, null,
                    List.of(new AttemptRecord.Draft("phase2/leg0/path0-attempt0", AttemptKind.STUDY,
                            "Trees may win.").ran(9.0).script("d", "trees 0.8").record()),
                    List.of(), 12, 2, 900, null);

    static final SplitCoder SPLIT_CODER = new SplitCoder("there is no table for training",
            List.of("Files: 2 files, 8 bytes"), List.of("numpy", "pandas"));

    static final MetricCoder METRIC_CODER =
            new MetricCoder("the program cannot compute glory", "solution: id,y", List.of("numpy", "pandas"));

    private static final List<Agent<?>> PAPER = List.of(RETRIEVER, INIT, MERGER, ABLATION, SUMMARIZE, EXTRACTOR, CODER,
            PLANNER, ENS_PLANNER, ENSEMBLER, DEBUGGER, LEAKAGE, LEAKAGE_CORRECTION, DATA, TEST, SUBSAMPLING_EXTRACT,
            SUBSAMPLING_REMOVE, CONTAMINATION_CHECK, SCRIPT_CODER, SPLIT_CODER, METRIC_CODER);

    private Given() {}

    /// Those above, and of any other record of the catalogue one whose inputs are texts. If it has
    /// other inputs, put it above.
    static List<Agent<?>> agents() {
        List<Agent<?>> agents = new ArrayList<>(PAPER);
        Agents.BY_NAME.values().stream().filter(record -> PAPER.stream().noneMatch(record::isInstance))
                .forEach(record -> {
                    ObjectNode input = Json.object();
                    Stream.of(record.getRecordComponents())
                            .forEach(component -> input.put(Json.name(component), "text"));
                    agents.add(Json.read(input, record));
                });
        return agents;
    }

    static RunContext context(MetricDirection direction) {
        TaskDescription task = new TaskDescription("titanic", TaskType.CLASSIFICATION, DataModality.TABULAR,
                "balanced accuracy", direction, "Predict who was transported.\n", null, null);
        return new RunContext(task, PipelineConfig.defaults(), "8 processors, 1 GPU: A100");
    }

    static String prompt(Agent<?> agent) {
        return PROMPTS.render(agent, context(MetricDirection.MAXIMIZE), Abilities.NONE).text();
    }
}
