package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Note;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.show.view.LiveRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Notes that people send to a running run: which agents receive them, and what the report shows.
class ToldNotesTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";
    private static final String ADVICE = "try <b>target encoding</b> of the operator";
    private static final String LINES = "y = 1\n  z = 2";

    private final MemoryStore store = new MemoryStore();
    private final Records records = new Records(store);
    private final Notes notes = new Notes(store);

    private static Note note(String text) {
        return new Note(Instant.now(), "ann", text);
    }

    private RunHeader header() {
        return records.header("r").orElseThrow();
    }

    @Test
    void onlyPlannersAndTheExtractorReceiveANoteFromTheirNextQuestionOn() {
        DrivenRun run = DrivenRun.start(store, "r", CONFIG, 0).until("phase2-path0/block0");
        notes.add("r", note(ADVICE));
        run.untilTheEnd();

        List<String> heard = new ArrayList<>();
        List<String> deaf = new ArrayList<>();
        LiveRun.read(records, header(), step -> {
            if (step.step() instanceof Agent<?> agent
                    && step.known().done().orElse(null) instanceof StepResult.Done done) {
                (done.answer().prompt().contains(ADVICE) ? heard : deaf).add(agent.name());
            }
        });
        assertThat(heard).contains("extractor", "planner", "ens_planner").containsOnly("extractor", "planner",
                "ens_planner");
        assertThat(deaf).as("asked before, or no planner").contains("extractor", "planner", "coder", "init");
    }

    @Test
    void theReportNamesAuthorAndTimeOfANote() {
        DrivenRun run = DrivenRun.start(store, "r", CONFIG, 0).until("phase1");
        notes.add("r", note(ADVICE));
        notes.add("r", note(LINES));
        run.untilTheEnd();

        String html = Report.html(records, header(), Instant.now());
        assertThat(html)
                .contains("What people told the run", "try &lt;b&gt;target encoding&lt;/b&gt; of the operator", "ann, ",
                        "<span class=\"said\">" + LINES + "</span>")
                .doesNotContain("<b>target");
    }
}
