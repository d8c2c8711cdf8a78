package io.mlestar.show.report;

import io.mlestar.core.step.Note;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.SolutionGraph;
import io.quarkus.qute.RawString;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/// The content of a run's report: texts and figures, ready for the template, each bounded in size.
/// The template reads fields and methods by name, so a native image has to keep them.
///
/// @param said one sentence on how the run ended or where it stands
/// @param recorded whether no language model was asked
/// @param hidden whether the scores are of rows that the harness hid
/// @param notes what a reader should not overlook
/// @param otherBlocks how many blocks that gained less are left out of the improvements, and what
///   they cost; empty if none are
/// @param moreBlocks blocks that are not shown in detail
/// @param told notes that people sent to the run
/// @param dataCard what the survey found in the data; empty without a survey
/// @param finalScript with its parts marked; empty if there is none
/// @param savedScript address by which a browser saves it as a file
@RegisterForReflection(targets = {
    ReportModel.class, ReportModel.Fact.class, ReportModel.ComparedScore.class,
    ReportModel.ImprovementRow.class, ReportModel.BlockChapter.class, Note.class,
    SolutionChart.class, SolutionGraph.Chapter.class, SolutionGraph.Node.class,
    SolutionGraph.Stage.class, Spending.class, RunFailures.class, RunFailures.Failure.class,
    Diffs.DiffRow.class, Diffs.Piece.class
})
public record ReportModel(
        String run,
        String competition,
        String metric,
        String better,
        String said,
        boolean recorded,
        boolean hidden,
        List<Fact> figures,
        List<String> notes,
        List<ComparedScore> compared,
        RawString curve,
        SolutionChart solutions,
        List<ImprovementRow> improvements,
        String otherBlocks,
        List<BlockChapter> blocks,
        int moreBlocks,
        List<ImprovementRow> rounds,
        List<String> lineage,
        Spending spent,
        RunFailures failures,
        List<Fact> environment,
        List<Fact> settings,
        List<Note> told,
        String dataCard,
        RawString finalScript,
        String savedScript) {
    public boolean hasFinalScript() {
        return !finalScript.getValue().isEmpty();
    }

    /// A name and its value, with a word on it.
    public record Fact(String name, String value, String note) {
        Fact(String name, String value) {
            this(name, value, "");
        }
    }

    /// A score beside that of the best single model.
    public record ComparedScore(String what, String score, String difference, String note) {}

    /// One improvement, or one round.
    ///
    /// @param bar its gain as a bar
    /// @param kept whether it is part of what came after
    public record ImprovementRow(
            String what,
            String plan,
            String score,
            String gain,
            RawString bar,
            String cost,
            String time,
            boolean kept) {}

    /// A refined block.
    ///
    /// @param id of the place where it stands
    /// @param firstLine of the block, which tells it from others
    /// @param summary of its ablation study
    /// @param diff of the block as it was and the attempt that won; empty if none did
    public record BlockChapter(
            String id,
            String title,
            String firstLine,
            String plan,
            String gain,
            String cost,
            String time,
            String summary,
            List<ImprovementRow> attempts,
            List<Diffs.DiffRow> diff) {}
}
