package io.mlestar.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;

class CachingStoreTest implements StoreContract {
    private static final int LARGEST = 64 << 10;

    private final WatchedStore origin = new WatchedStore(new MemoryStore());
    private final CachingStore cached = new CachingStore(origin);

    @Override
    public Store store() {
        return new CachingStore(new MemoryStore());
    }

    private List<Integer> kept(int most) {
        return IntStream.range(0, most).filter(i -> cached.keeps("r" + i)).boxed().toList();
    }

    @Test
    void whatWasWrittenOrReadOnceIsNotFetchedAgainButWhatWasMissingIs() {
        cached.create("written", new byte[] {1});
        origin.create("other", new byte[] {2});
        cached.read("other");
        origin.forget();
        assertThat(cached.read("written")).hasValue(new byte[] {1});
        assertThat(cached.read("other")).hasValue(new byte[] {2});
        assertThat(origin.read()).isEmpty();
        assertThat(cached.read("late")).isEmpty();
        origin.create("late", new byte[] {1});
        assertThat(cached.read("late")).isPresent();
    }

    @Test
    void theContentOfAnotherWriterIsKeptAndNotOnesOwn() {
        origin.create("key", new byte[] {1});
        assertThat(cached.create("key", new byte[] {2})).isFalse();
        assertThat(cached.create("key", new ByteArrayInputStream(new byte[] {3}))).isFalse();
        assertThat(cached.read("key")).hasValue(new byte[] {1});
    }

    @Test
    void theLeastRecentlyUsedLeaveOnceAllTogetherAreTooLarge() {
        IntStream.range(0, 200).forEach(i -> cached.create("r" + i, new byte[LARGEST]));
        assertThat(kept(200)).as("eight megabytes").hasSize(127).first().isEqualTo(73);
        assertThat(cached.read("r73")).isPresent();

        cached.create("r200", new byte[LARGEST]);
        assertThat(kept(201)).as("what was read lately stays").contains(73, 200).doesNotContain(74);
    }

    @Test
    void whatIsTooLargeIsNotKept() {
        cached.create("r0", new byte[LARGEST + 1]);
        assertThat(kept(1)).isEmpty();
        assertThat(cached.read("r0").orElseThrow()).hasSize(LARGEST + 1);
    }
}
