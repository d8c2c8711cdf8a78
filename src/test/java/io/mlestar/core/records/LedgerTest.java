package io.mlestar.core.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.WatchedStore;
import io.mlestar.show.log.Ear;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerTest {
    /// In a bucket each listing is a round trip.
    @Test
    @Requirement("REQ-OR-029")
    void whatWasSpentIsAddedUpOnceForACall() {
        WatchedStore store = new WatchedStore(new MemoryStore());
        DrivenRun run = DrivenRun.start(store, "r", "{\"max_budget_usd\": 50}", 0);
        while (run.records().request(StepPath.parse("r/phase1/retriever")).isEmpty()) {
            run.goOn(1);
        }
        store.forget();
        run.goOn(1);
        assertThat(run.records().result(StepPath.parse("r/phase1/retriever"))).isPresent();
        assertThat(store.listed()).containsExactly("runs/r", "runs/r/steps", "runs/r/steps/phase1");
    }

    @Test
    @Requirement({"REQ-OR-027", "REQ-OR-032"})
    void whatAPhaseTellsOfItsStepsIsWhatTheyTell() {
        OneEngine run = new OneEngine();
        run.runToTheEnd("{\"outer_loop_steps\": 1}");
        Ledger.Account told = new Ledger(run.records).of(StepPath.root("r"));
        Ledger.Account walked = new Ledger(new Records(new UntoldStore(run.store))).of(StepPath.root("r"));
        assertThat(walked).isEqualTo(told);
        assertThat(told.measured().answers()).containsKeys("retriever", "leakage", "coder", "test-subsampling_extract")
                .allSatisfy((agent, dearest) -> assertThat(dearest.usd()).isEqualTo(run.world.cost));
        assertThat(told.measured().hasScored()).isTrue();
        assertThat(run.records.result(StepPath.parse("r/phase1")).orElseThrow().totals()).isNotNull()
                .extracting(Totals::measured)
                .satisfies(phase1 -> assertThat(phase1.answers()).containsKey("init").doesNotContainKey("coder"));
    }

    /// Shows results as a program stored them that did not yet keep what the steps of a phase took
    /// in its result.
    private static final class UntoldStore extends ForwardingStore {
        UntoldStore(Store inner) {
            super(inner);
        }

        @Override
        public Optional<byte[]> read(String key) {
            return super.read(key).map(bytes -> {
                ObjectNode record = (ObjectNode) Json.parse(bytes);
                return record.remove("totals") == null ? bytes
                        : ChecksummedJson.bytes(record.without(List.of("program", "format", "sha256")));
            });
        }
    }

    /// Whichever of the processes of a cluster asks next.
    @Test
    @Requirement("REQ-OR-029")
    void fourFifthsOfABudgetAreSaidOnceAndOfMoreMoneyAgain() {
        MemoryStore store = new MemoryStore();
        List<String> said = new ArrayList<>();
        try (Ear ear = new Ear("mle_star", line -> said.add(line.getMessage()))) {
            for (double spent : List.of(1.0, 7.99, 8.0, 8.5, 9.9)) {
                new Ledger(new Records(store)).warn("ledger-test", spent, 10);
            }
            assertThat(said).filteredOn(line -> line.contains("ledger-test")).singleElement().asString()
                    .contains("$8.0000", "80%", "$10.0000");
            new Ledger(new Records(store)).warn("ledger-test", 11, 20);
            new Ledger(new Records(store)).warn("ledger-test", 16, 20);
            assertThat(said).filteredOn(line -> line.contains("ledger-test")).hasSize(2);
        }
    }

    @Test
    @Requirement("REQ-OR-029")
    void aRunThatComesNearItsBudgetSaysSo() {
        MemoryStore store = new MemoryStore();
        DrivenRun.withScoredStudies(store, "r", "{\"max_budget_usd\": 0.1}", 0.01).untilTheEnd();
        assertThat(store.list("runs/r")).contains("warned-0.1.json");
        DrivenRun.withScoredStudies(store, "rich", "{\"max_budget_usd\": 1000}", 0.01).untilTheEnd();
        assertThat(store.list("runs/rich")).noneMatch(name -> name.startsWith("warned-"));
    }
}
