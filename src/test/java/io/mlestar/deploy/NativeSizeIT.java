package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The sizes of the native programs, which `make native-report` divides: a library that comes with
/// megabytes shows here. Limits are a little above the sizes that docs/operating/native.md tells.
@EnabledIfSystemProperty(named = "native.program", matches = "true")
class NativeSizeIT {
    @ParameterizedTest
    @CsvSource({"target/functions/mlestar-runner, 82", "target/mlestar-runner, 94"})
    void aNativeProgramStaysSmall(Path program, double megabytes) throws Exception {
        assertThat(Files.size(program) / 1e6).isLessThan(megabytes);
    }
}
