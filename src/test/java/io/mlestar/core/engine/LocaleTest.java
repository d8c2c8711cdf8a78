package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.StepPath;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocaleTest extends OneEngine {
    private final Locale usual = Locale.getDefault();

    @BeforeEach
    void inGermany() {
        Locale.setDefault(Locale.GERMANY);
    }

    @AfterEach
    void atHome() {
        Locale.setDefault(usual);
    }

    @Test
    void whatIsStoredDoesNotDependOnWhoseMachineItIs() {
        runToTheEnd("{\"max_budget_usd\": 0.02}");
        assertThat(records.result(StepPath.root("r")).orElseThrow().reason()).contains("the budget of $0.0200");
    }
}
