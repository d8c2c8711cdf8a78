package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// A_coder, metric: writes the `metric.py` that computes the scores where the program does not know
/// the task's metric. No figure of the paper.
///
/// @param missing why the program cannot compute it
/// @param form the first lines of both frames
/// @param libraries that the file may use
public record MetricCoder(String missing, String form, List<String> libraries) implements CatalogueAgent.OfCode {
    /// What `metric.py` has to be; what of it is checked is in `adapter.grade.MetricTrial`.
    static final String CONTRACT =
            """
                    `metric.py` has the function `score(solution, submission, row_id_column_name)`, as Kaggle publishes metrics. Further arguments have defaults.

                    - `solution` and `submission` are pandas data frames with the same rows in the same order. The column called `row_id_column_name` names them. `solution` has the right \
                    values in the columns of `submission`; columns that are classes hold 0 and 1. Of other columns it has those that the file names in quotes.
                    - It returns one finite number for any part of the rows, in a fraction of a second. The right values as predictions have the best score; the same in a wrong order have \
                    a worse one. A submission with one value for all rows has a score, too: bring what is out of range, as a probability of 0, into it.
                    - What a submission must not be, it refuses by `ParticipantVisibleError` of `kaggle_metric_utilities` with one sentence, which quotes no label.
                    - The same call gives the same, without chance. It reads and writes no file, uses no network and prints nothing.""";

    public MetricCoder {
        Invalid.text("missing", missing);
        Invalid.text("form", form);
        libraries = libraries == null ? List.of() : List.copyOf(libraries);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("missing", missing, "form", form, "contract", CONTRACT, "libraries",
                Sections.installed(libraries));
    }
}
