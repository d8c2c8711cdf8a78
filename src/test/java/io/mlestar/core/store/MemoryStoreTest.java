package io.mlestar.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryStoreTest implements StoreContract {
    @Override
    public Store store() {
        return new MemoryStore();
    }

    @Test
    void saysThatItsObjectsLieInMemory() {
        assertThat(store().address("runs/a/submission.csv")).isEqualTo("memory:runs/a/submission.csv");
    }
}
