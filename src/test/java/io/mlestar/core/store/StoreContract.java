package io.mlestar.core.store;

import static io.mlestar.Refusal.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;

/// The rules that every store keeps to, whatever it is made of
/// (`docs/decisions/0002-first-write-wins.md`).
public interface StoreContract {
    int WRITERS = 16;
    int ROUNDS = 30;

    /// A new store with nothing in it.
    Store store();

    @Test
    default void theFirstWriterWinsAndTheContentStays() {
        Store store = store();
        store.create("key", "first".getBytes(UTF_8));
        assertThat(store.create("key", "second, and longer".getBytes(UTF_8))).isFalse();
        assertThat(store.create("key", new ByteArrayInputStream(new byte[0]))).isFalse();
        assertThat(store.read("key")).hasValue("first".getBytes(UTF_8));
    }

    @Test
    default void findsNothingWhereNothingIs() {
        Store store = store();
        store.create("folder/key", new byte[1]);
        for (String missing : List.of("other", "folder/other", "other/folder/key", "elsewhere", "folder/below")) {
            assertThat(store.read(missing)).as(missing).isEmpty();
            assertThat(store.list(missing)).as(missing).isEmpty();
        }
        assertThat(store.list("folder/key")).isEmpty();
    }

    @Test
    default void whatAnOperatorRemovesIsGoneWithTheFoldersThatHeldNothingElse() {
        if (store() instanceof PrunableStore store) {
            store.create("runs/a/steps/b.json", new byte[1]);
            store.create("runs/a/run.json", new byte[1]);
            store.delete("runs/a/steps/b.json");
            store.delete("runs/a/steps/b.json");
            store.delete("runs/nothing/at/all");
            assertThat(store.read("runs/a/steps/b.json")).isEmpty();
            assertThat(store.list("runs/a")).containsExactly("run.json");
            store.delete("runs/a/run.json");
            assertThat(store.list("runs")).isEmpty();
            assertThat(store.create("runs/a/run.json", new byte[2])).as("the name is free").isTrue();
        }
    }

    @Test
    default void keepsEmptyAndBigContent() {
        Store store = store();
        byte[] big = new byte[5 << 20];
        new Random(7).nextBytes(big);
        assertThat(store.create("big", big)).isTrue();
        assertThat(store.create("streamed", new ByteArrayInputStream(big))).isTrue();
        assertThat(store.read("big").orElseThrow()).isEqualTo(big);
        assertThat(store.read("streamed").orElseThrow()).isEqualTo(big);
        assertThat(store.create("empty", new byte[0])).isTrue();
        assertThat(store.create("empty", new byte[1])).isFalse();
        assertThat(store.read("empty")).hasValue(new byte[0]);
    }

    @Test
    default void doesNotShareItsContentWithAnybody() {
        Store store = store();
        byte[] given = "content".getBytes(UTF_8);
        store.create("key", given);
        Arrays.fill(given, (byte) 0);
        Arrays.fill(store.read("key").orElseThrow(), (byte) 0);
        assertThat(store.read("key")).hasValue("content".getBytes(UTF_8));
    }

    @Test
    default void listsWhatIsRightBelowAFolderSortedAndNotWhatOnlyBeginsLikeIt() {
        Store store = store();
        for (String key : List.of("a/b/1", "a/bc/2", "a/b.json", "a/b-c", "a/b0", "a/b/y/z.json", "other/c.json")) {
            store.create(key, new byte[1]);
        }
        assertThat(store.list("a/b")).containsExactly("1", "y/");
        assertThat(store.list("a")).containsExactly("b-c", "b.json", "b/", "b0", "bc/");
    }

    @Test
    default void closesTheStreamWhetherItWinsOrNot() {
        Store store = store();
        for (boolean wins : new boolean[] {true, false}) {
            AtomicBoolean closed = new AtomicBoolean();
            InputStream content = new ByteArrayInputStream("x".getBytes(UTF_8)) {
                @Override
                public void close() {
                    closed.set(true);
                }
            };
            assertThat(store.create("key", content)).isEqualTo(wins);
            assertThat(closed).isTrue();
        }
    }

    @Test
    default void aStreamThatBreaksLeavesNoHalfObject() {
        Store store = store();
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the network is gone");
            }
        };
        InputStream content = new SequenceInputStream(new ByteArrayInputStream(new byte[100_000]), broken);
        refusal(StoreUnavailable.class, () -> store.create("folder/key", content)).contains("folder/key");
        assertThat(store.read("folder/key")).isEmpty();
        assertThat(store.list("folder")).isEmpty();
        assertThat(store.create("folder/key", new byte[1])).isTrue();
    }

    @Test
    default void ofManyWritersExactlyOneWinsAndItsContentIsWhole() throws Exception {
        Store store = store();
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = "race/round-" + round;
                List<Integer> winners = race(writers, store, key, start);
                assertThat(winners).as(key).hasSize(1);
                assertThat(store.read(key).orElseThrow()).as(key).isEqualTo(contentOf(winners.getFirst()));
            }
        }
        assertThat(store.list("race")).hasSize(ROUNDS);
    }

    @Test
    default void ofManyWritersOfTheSameContentExactlyOneWins() throws Exception {
        Store store = store();
        byte[] content = "{}".getBytes(UTF_8);
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (int round = 0; round < 10; round++) {
                String key = "same/" + round;
                List<Callable<Boolean>> tasks = Collections.nCopies(WRITERS, () -> store.create(key, content));
                assertThat(writers.invokeAll(tasks)).extracting(Future::get).as(key).containsOnlyOnce(true);
            }
        }
    }

    private static List<Integer> race(ExecutorService writers, Store store, String key, CyclicBarrier start)
            throws InterruptedException, ExecutionException {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            byte[] content = contentOf(writer);
            tasks.add(() -> {
                start.await();
                return store.create(key, content);
            });
        }
        List<Integer> winners = new ArrayList<>();
        List<Future<Boolean>> results = writers.invokeAll(tasks);
        for (int writer = 0; writer < WRITERS; writer++) {
            if (results.get(writer).get()) {
                winners.add(writer);
            }
        }
        return winners;
    }

    private static byte[] contentOf(int writer) {
        byte[] content = new byte[3_000 + 100 * writer];
        Arrays.fill(content, (byte) writer);
        return content;
    }
}
