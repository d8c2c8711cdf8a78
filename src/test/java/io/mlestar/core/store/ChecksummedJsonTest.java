package io.mlestar.core.store;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import module java.base;
import org.junit.jupiter.api.Test;

class ChecksummedJsonTest {
    private static final byte[] RECORD =
            ChecksummedJson.bytes(Json.object().put("status", "done").put("text", "Größe: \"3\""));

    @Test
    void aRecordIsReadBackAndIsJsonForEverybodyElse() {
        assertThat(ChecksummedJson.read("key", RECORD).path("text").asText()).isEqualTo("Größe: \"3\"");
        assertThat(new String(RECORD, StandardCharsets.UTF_8))
                .matches(
                        "\\{\"status\":\"done\",\"text\":\"Größe: .*\",\"program\":\"[^\"]+\",\"format\":1,\"sha256\":\"[0-9a-f]{64}\"}");
        assertThat(ChecksummedJson.read("key", ChecksummedJson.bytes(Json.object()))).hasSize(3);
        assertThat(ChecksummedJson.program(ChecksummedJson.read("key", RECORD)))
                .isEqualTo(ProgramVersion.HERE.toString());
    }

    @Test
    void aRecordWithoutItsDigestIsDamagedUnlessAnotherServiceMayHaveWrittenIt() {
        for (String json : List.of("{\"a\":1}", "{}", "{\"a\":1,\"sha256\":\"\"}",
                "{\"a\":1, \"sha256\" : \"" + "0".repeat(64) + "\"}")) {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            refusal(DamagedRecord.class, () -> ChecksummedJson.read("key", bytes)).contains("its digest is missing");
            assertThat(ChecksummedJson.readForeign("key", bytes)).isEqualTo(Json.parse(json));
        }
    }

    @Test
    void aFileForPeopleIsSealedTooAndReadsWell() {
        byte[] text = ChecksummedJson.text(Json.object().put("status", "done").put("score", 0.5));
        assertThat(new String(text, StandardCharsets.UTF_8))
                .startsWith("{\n  \"status\" : \"done\",\n  \"score\" : 0.5,\n\"program\":");
        assertThat(ChecksummedJson.read("key", text).path("score").asDouble()).isEqualTo(0.5);
        text[20] ^= 1;
        assertThatThrownBy(() -> ChecksummedJson.read("key", text)).isInstanceOf(DamagedRecord.class);
    }

    @Test
    void aRecordOfANewerFormatIsNotReadAndNamesBothPrograms() {
        byte[] newer = ChecksummedJson.bytes(Json.object().put("a", 1), "2.0.0+\n\033[2J" + "x".repeat(200), 7);
        refusal(NewerRecord.class, () -> ChecksummedJson.read("runs/r/run.json", newer))
                .startsWith("record runs/r/run.json was written by mlestar 2.0.0+ \\u001b[2Jxxx")
                .contains("in format 7", "this is mlestar " + ProgramVersion.HERE, "formats up to 1");
        byte[] damaged = new String(newer, StandardCharsets.UTF_8).replace("\"a\":1", "\"a\":2")
                .getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ChecksummedJson.read("key", damaged)).as("what is damaged is not newer")
                .isInstanceOf(DamagedRecord.class);
    }

    @Test
    void noBitOfItsContentOrDigestIsTurnedUnnoticed() {
        for (int bit = 0; bit < RECORD.length * 8; bit++) {
            byte[] flipped = RECORD.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> ChecksummedJson.read("key", flipped)).as("bit " + bit)
                    .isInstanceOf(DamagedRecord.class).hasMessageContaining("key");
        }
    }

    @Test
    void noPartOfItIsTakenForTheWhole() {
        for (int length = 0; length < RECORD.length; length++) {
            byte[] cut = Arrays.copyOf(RECORD, length);
            byte[] zeros = Arrays.copyOf(cut, RECORD.length);
            for (byte[] damaged : List.of(cut, zeros)) {
                assertThatThrownBy(() -> ChecksummedJson.read("key", damaged)).as("%d bytes", length)
                        .isInstanceOf(DamagedRecord.class).hasMessageContaining("key").hasMessageNotContaining("\n");
            }
        }
    }
}
