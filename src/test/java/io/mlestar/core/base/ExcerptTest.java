package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Where texts are cut.
class ExcerptTest {
    @Test
    void whatIsCutIsCutAtASentence() {
        String text = "Trees were\n  better. Linear models lost; networks took too long. All of it was noise.";

        assertThat(Excerpt.sentences(text, 200))
                .isEqualTo("Trees were better. Linear models lost; networks took too long. All of it was noise.");
        assertThat(Excerpt.sentences(text, 70))
                .isEqualTo("Trees were better. Linear models lost; networks took too long.");
        assertThat(Excerpt.sentences(text, 50)).isEqualTo("Trees were better. Linear models lost.");
        assertThat(Excerpt.sentences("one sentence that has no end within the room there is", 30))
                .isEqualTo("one sentence that has no end …");
        assertThat(Excerpt.sentences(null, 30)).isEmpty();
    }
}
