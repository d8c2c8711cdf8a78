package io.mlestar.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordCacheTest {
    private static final int LARGEST = 64 << 10;
    private final RecordCache cache = new RecordCache();

    private List<Integer> kept(int most) {
        return IntStream.range(0, most).filter(i -> cache.has("r" + i)).boxed().toList();
    }

    @Test
    void theOldestGoFirstOnceAllTogetherAreTooLarge() {
        IntStream.range(0, 200).forEach(i -> cache.put("r" + i, "record " + i, LARGEST));
        assertThat(kept(200)).as("eight megabytes").hasSize(127).first().isEqualTo(73);
        assertThat(cache.get("r73")).isEqualTo("record 73");

        cache.put("r200", "one more", LARGEST);
        assertThat(kept(201)).as("what was asked for lately stays").contains(73, 200).doesNotContain(74);
    }

    @Test
    void ofSmallRecordsThousandsAreKept() {
        IntStream.range(0, 40_000).forEach(i -> cache.put("r" + i, "record", 500));
        assertThat(kept(40_000)).hasSizeBetween(10_000, 12_000).contains(39_999);
    }

    @Test
    void aRecordThatIsPutTwiceTakesItsRoomOnce() {
        IntStream.range(0, 10_000).forEach(i -> cache.put("r0", "record", LARGEST));
        cache.put("r1", "another", 1);
        assertThat(kept(2)).containsExactly(0, 1);
    }

    @Test
    void whatIsTooLargeIsNotKept() {
        cache.put("r0", "a large one", LARGEST + 1);
        assertThat(kept(1)).isEmpty();
        assertThat(cache.get("r0")).isNull();
    }
}
