package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StackDumpTest {
    @Test
    void theInnermostFramesOfTheScriptStandInPlaceOfTheDump() {
        String library =
                "\n\nThread 0x1:\n  File \"/lib.py\", line 1 in deep\n  File \"./variants.py\", line 2 in run\n";
        String dump = "Fatal Python error: Aborted" + library + library
                + "  File \"./study.py\", line 2 in fit\n".repeat(50);

        String shortened = StackDump.shortened("warning\n" + dump, "first\n" + "x".repeat(500));

        assertThat(shortened).startsWith("warning\n  File \"./study.py\", line 2, in fit\n    xxx")
                .hasSizeLessThan(1_500);
        assertThat(StackDump.place(shortened)).startsWith(", in line 2: xxx");
    }
}
