package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// A_coder, split: writes the `split.py` by which rows are hidden where no rule finds the form of
/// the data. No figure of the paper.
///
/// @param missing why the rules hide none
/// @param data lines of the data card
/// @param libraries that the script may use
public record SplitCoder(String missing, List<String> data, List<String> libraries) implements CatalogueAgent.OfCode {
    /// What `split.py` has to be; its checks are in `survey/split-check.py`.
    static final String CONTRACT =
            """
                    `split.py` has two functions. `data` is the folder of the task's data, which they only read.

                    - `examples(data)` returns the names of all training examples that may be hidden, as a list of texts; where some belong together (one patient, one place), a \
                    dictionary with the group of each. An example is what the test has more of: a page, a recording, a patient's scan; not a pixel of it. It is best called as the \
                    files and tables call it.
                    - `hide(data, hidden)` returns what is changed where the examples named in the list `hidden` stand among the test's, as a dictionary:
                      - `"files"`: the whole new text (or bytes) of each file that is another then, by its path below `data`: no line of training is left of a hidden example; where \
                    the test's examples have lines, it has one that looks like theirs; the sample submission has a row for each row of a hidden example besides its own, with the usual \
                    values. At most 12 files, each with the columns that it has.
                      - `"moves"`: where each file stands then that stands elsewhere, by its path now: its path as a file of the test, or `None` for one that the test has not, as the \
                    answers. All other files stay.
                      - `"answers"`: CSV with the columns of the sample submission and one more, `example`: each row that the sample submission has for a hidden example, with the right \
                    values in place of the usual ones, and the example's name.

                    Names of rows must not depend on what else is hidden, and none may be one of the test's. With an empty list nothing is changed and `answers` is empty. The same call \
                    gives the same, without chance. Nothing in the changed data may tell the answers. The functions write no file and print nothing; all calls together take seconds.""";

    public SplitCoder {
        Invalid.text("missing", missing);
        data = data == null ? List.of() : List.copyOf(data);
        libraries = libraries == null ? List.of() : List.copyOf(libraries);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("missing", missing,
                "data", data.isEmpty() ? "(nothing is known of them)" : String.join("\n", data),
                "contract", CONTRACT,
                "libraries", Sections.installed(libraries));
    }
}
