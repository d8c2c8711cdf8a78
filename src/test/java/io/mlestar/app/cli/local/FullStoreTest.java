package io.mlestar.app.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.show.log.Ear;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logmanager.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FullStoreTest {
    private final AtomicBoolean isFull = new AtomicBoolean();
    private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    private final OneEngine one = new OneEngine(new ForwardingStore(new MemoryStore()) {
        @Override
        public boolean create(String key, byte[] content) {
            if (isFull.get()) {
                throw new StoreUnavailable("cannot write " + key + ": No space left on device", null);
            }
            return super.create(key, content);
        }
    }, new World(1, 0), OneEngine.MovingClock.ticking(World.NOW, 60_000), new Watcher() {});

    @Test
    void aRunSaysThatTheStoreIsFullAndEndsAtItsTimeLimit() {
        RunHeader header = World.header("r", "{\"time_limit_seconds\": 36000}");
        one.engine.start(header);
        one.untilAsked("r/phase1/retriever");
        isFull.set(true);
        try (Ear _ = new Ear("mle_star", line -> {
            if (line.getLevel().intValue() >= Level.WARN.intValue()) {
                warnings.add(line.getMessage());
            }
        })) {
            RunApplication run = new RunApplication(one.engine, one.sweep(one.engine), one.records, one::take,
                    new Watchers(), one.clock, null,
                    Display.NOTHING, "s");
            assertThatThrownBy(() -> run.run("r")).isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("past its time limit")
                    .hasMessageContaining("No space left on device").hasMessageContaining("mlestar resume r --store s");
        }
        assertThat(Duration.between(header.deadline(), one.clock.now)).isBetween(Duration.ofSeconds(15),
                Duration.ofMinutes(10));
        assertThat(warnings).filteredOn(line -> line.contains("the store cannot be written")).singleElement().asString()
                .contains("No space left");
    }
}
