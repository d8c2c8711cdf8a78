package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryPressureTest {
    @TempDir
    private Path group;

    private void now(String limit, long anonymous, long shared, long cache) throws IOException {
        Files.writeString(group.resolve("memory.max"), limit + "\n");
        Files.writeString(group.resolve("memory.stat"),
                "anon " + anonymous + "\nfile " + cache + "\nshmem " + shared + "\nsock 0\n");
    }

    @Test
    void nineTenthsOfTheLimitAreSaid() throws IOException {
        MemoryPressure pressure = new MemoryPressure(group);
        now("10737418240", 9_000_000_000L, 1_000_000_000L, 0);
        assertThat(pressure.tight()).contains("9.3 of 10.0 GiB of memory were in use");
        now("10737418240", 9_000_000_000L, 0, 9_000_000_000L);
        assertThat(pressure.tight()).as("what is only a cache of files would be dropped").isEmpty();
    }

    @Test
    void withoutALimitOrAControlGroupThereIsNothingToSay() throws IOException {
        now("max", 9_000_000_000L, 0, 0);
        assertThat(new MemoryPressure(group).tight()).isEmpty();
        now("much", 9_000_000_000L, 0, 0);
        assertThat(new MemoryPressure(group).tight()).isEmpty();
        assertThat(new MemoryPressure(group.resolve("none")).tight()).isEmpty();
    }
}
