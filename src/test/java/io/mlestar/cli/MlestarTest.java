package io.mlestar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MlestarTest {
    @Test
    void theCommandThatIsAskedForIsMadeAloneAndWithoutOneAllAre() {
        assertThat(Mlestar.program().getSubcommands()).hasSize(18).hasSameSizeAs(Mlestar.program("rnu", "--json").getSubcommands());
        assertThat(Mlestar.program().getSubcommands().keySet())
                .allSatisfy(name -> assertThat(Mlestar.program(name, "--help").getSubcommands()).containsOnlyKeys(name));
    }
}
