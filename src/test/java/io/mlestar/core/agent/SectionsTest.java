package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SectionsTest {
    @ParameterizedTest
    @CsvSource({"1, 1st", "2, 2nd", "3, 3rd", "4, 4th", "10, 10th", "11, 11th", "12, 12th", "13, 13th", "21, 21st",
        "22, 22nd",
        "101, 101st",
        "111, 111th", "112, 112th"})
    @Requirement({"REQ-P3-002", "REQ-P3-011"})
    void ordinalsAreCorrectEnglish(int n, String ordinal) {
        assertThat(Sections.ordinal(n)).isEqualTo(ordinal);
    }

    @Test
    @Requirement("REQ-P2O-021")
    void studyThatFailedLeavesNoEmptyEntry() {
        assertThat(Sections.numbered("Studies", List.of("", "Found it.", " ")))
                .isEqualTo("# Studies\n\n## 1.\nFound it.\n\n");
        assertThat(Sections.numbered("Studies", List.of("", "\n"))).isEmpty();
    }
}
