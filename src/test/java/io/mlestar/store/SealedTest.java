package io.mlestar.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.task.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SealedTest {
    private static final byte[] RECORD = Sealed.bytes(Json.object().put("status", "done").put("text", "Größe: \"3\""));

    @Test
    void aRecordIsReadBackAndIsJsonForEverybodyElse() {
        assertThat(Sealed.read("key", RECORD).path("text").asText()).isEqualTo("Größe: \"3\"");
        assertThat(new String(RECORD, StandardCharsets.UTF_8)).matches("\\{\"status\":\"done\",\"text\":\"Größe: .*\",\"sha256\":\"[0-9a-f]{64}\"}");
        assertThat(Sealed.read("key", Sealed.bytes(Json.object()))).hasSize(1);
    }

    @Test
    void whatAnOlderProgramWroteIsTakenAsItIs() {
        assertThat(Sealed.read("key", Json.bytes(Json.object().put("a", 1))).path("a").asInt()).isOne();
        assertThat(Sealed.read("key", Json.bytes(Json.object()))).isEmpty();
    }

    @Test
    void noBitOfItsContentOrDigestIsTurnedUnnoticed() {
        int end = new String(RECORD, StandardCharsets.ISO_8859_1).indexOf("\"sha256\":");
        for (int bit = 0; bit < RECORD.length * 8; bit++) {
            byte[] flipped = RECORD.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            int at = bit / 8;
            // The name of the field is nobody's content: without it the record is one of an older program.
            if (at < end || at >= end + 10) {
                assertThatThrownBy(() -> Sealed.read("key", flipped)).as("bit " + bit).isInstanceOf(DamagedRecord.class).hasMessageContaining("key");
            } else {
                assertThatCode(() -> {
                    try {
                        assertThat(Sealed.read("key", flipped).path("text").asText()).isEqualTo("Größe: \"3\"");
                    } catch (DamagedRecord e) {
                        assertThat(e).hasMessageContaining("key");
                    }
                }).as("bit " + bit).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void noPartOfItIsTakenForTheWhole() {
        for (int length = 0; length < RECORD.length; length++) {
            byte[] cut = Arrays.copyOf(RECORD, length);
            byte[] zeros = Arrays.copyOf(cut, RECORD.length);
            for (byte[] damaged : List.of(cut, zeros)) {
                assertThatThrownBy(() -> Sealed.read("key", damaged)).as("%d bytes", length).isInstanceOf(DamagedRecord.class)
                        .hasMessageContaining("key").hasMessageNotContaining("\n");
            }
        }
    }
}
