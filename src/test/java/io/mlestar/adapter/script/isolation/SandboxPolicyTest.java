package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.core.base.Invalid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxPolicyTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "'',        '',                     true,  PREFERRED",
        "'',        ANTHROPIC_API_KEY,      true,  REQUIRED",
        "'',        OPENAI_API_KEY_FILE,    true,  REQUIRED",
        "'',        TAVILY_API_KEY,         true,  REQUIRED",
        "'',        ANTHROPIC_API_KEY,      false, PREFERRED",
        "'',        AWS_ACCESS_KEY_ID,      true,  PREFERRED",
        "preferred, ANTHROPIC_API_KEY,      true,  PREFERRED",
        "off,       ANTHROPIC_API_KEY,      true,  OFF",
        "Required,  '',                     false, REQUIRED"})
    void aWallIsRequiredWhereAKeyCouldBeStolenUnlessSomebodySaysOtherwise(String said, String key, boolean asksModels,
            SandboxPolicy demand) {
        assertThat(SandboxPolicy.of(
                key.isEmpty() ? Map.of("MLE_STAR_SANDBOX", said) : Map.of("MLE_STAR_SANDBOX", said, key, "k"),
                asksModels))
                .isEqualTo(demand);
    }

    @Test
    void whereThereIsNoWallARequiredOneIsMissedInOneLine() throws Exception {
        // An interpreter that runs no starter: no wall can be tried.
        Path deaf = Files.writeString(folder.resolve("python"), "#!/bin/sh\nexit 1\n");
        deaf.toFile().setExecutable(true);
        Python python = new Python(deaf, List.of(), "3.11.0");
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> SandboxPolicy.REQUIRED.check(python))
                .withMessageStartingWith(
                        "no sandbox is available on this machine: install bubblewrap, or set MLE_STAR_SANDBOX=preferred");
        assertThatCode(() -> SandboxPolicy.PREFERRED.check(python)).doesNotThrowAnyException();
        assertThatCode(() -> SandboxPolicy.OFF.check(python)).doesNotThrowAnyException();
    }

    @Test
    void whereThereIsOneNothingIsMissed() {
        assumeTrue(Isolation.strongest(Sandboxes.PYTHON) != Isolation.SESSION, "there is no wall here");
        assertThatCode(() -> SandboxPolicy.REQUIRED.check(Sandboxes.PYTHON)).doesNotThrowAnyException();
        assertThat(Isolation.of(Sandboxes.PYTHON, Map.of())).isEqualTo(Isolation.strongest(Sandboxes.PYTHON));
        assertThat(Isolation.of(Sandboxes.PYTHON, Map.of("MLE_STAR_SANDBOX", "off"))).isEqualTo(Isolation.SESSION);
    }
}
