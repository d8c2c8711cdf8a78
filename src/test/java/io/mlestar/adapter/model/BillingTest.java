package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mlestar.FreePort;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a provider may ask money for is counted, whether or not anybody could read it.
class BillingTest {
    private static final Price PRICE = new Price(3, 15, 0.3, 3.75);

    private static ModelRequest question(Optional<Price> price, Duration timeout) {
        return new ModelRequest(Optional.empty(), "init", "You are a grandmaster.", "Write it.", List.of(), 20,
                Optional.empty(), price, timeout,
                ModelRequest.Traits.NONE);
    }

    private static double cost(Provider provider, Fault... faults) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(faults);
            Answer answer = provider.model(server).ask(question(Optional.of(PRICE), Waiting.MOST));
            assertThat(answer.text()).isEqualTo("fine");
            return answer.usage().costUsd();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-027")
    void aTryThatTheProviderMayHaveBilledIsCounted(Provider provider) throws IOException {
        double plain = cost(provider);
        double estimate = question(Optional.of(PRICE), Waiting.MOST).estimate(PRICE);
        for (Fault fault : List.of(Fault.Malformed.BODY, Fault.Cut.BEFORE_THE_ANSWER, Fault.Cut.IN_THE_BODY)) {
            assertThat(cost(provider, fault) - plain).as("%s", fault).isBetween(estimate * 0.9, estimate * 1.5);
        }
        assertThat(cost(provider, Fault.Malformed.BODY, Fault.Cut.IN_THE_BODY) - plain).as("two of them")
                .isGreaterThan(estimate * 1.8);
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-027")
    void aTryThatTheProviderTurnedDownIsNot(Provider provider) throws IOException {
        double plain = cost(provider);
        for (Fault fault : List.of(Fault.status(429), Fault.status(500), Fault.status(529),
                new Fault.Foreign(200, "text/html", "<html>Sign in</html>"))) {
            assertThat(cost(provider, fault)).as("%s", fault).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-029")
    void whoeverGivesUpSaysWhatItMayHaveCost(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            double estimate = question(Optional.of(PRICE), Duration.ZERO).estimate(PRICE);

            server.plan(Collections.nCopies(4, Fault.Cut.IN_THE_BODY).toArray(Fault[]::new));
            assertThat(billed(provider.model(server), question(Optional.of(PRICE), Waiting.MOST)))
                    .isBetween(estimate * 3.6, estimate * 6);

            server.plan(Fault.Malformed.BODY, Fault.Malformed.BODY);
            assertThat(catchThrowableOfType(StepFailed.class,
                    () -> provider.model(server).ask(question(Optional.of(PRICE), Waiting.MOST))).billedUsd())
                    .isBetween(estimate * 1.8, estimate * 3);

            server.plan(Collections.nCopies(4, Fault.status(503)).toArray(Fault[]::new));
            assertThat(billed(provider.model(server), question(Optional.of(PRICE), Waiting.MOST))).isZero();

            assertThat(billedTooLate(server, provider, Optional.of(PRICE))).isBetween(estimate * 0.9, estimate * 1.5);

            if (provider != Provider.OLLAMA) {
                assertThat(billedTooLate(server, provider, Optional.empty())).as("the price is unknown").isNull();
            }
        }
    }

    @Test
    void nobodyBillsAConnectionThatWasNeverMade() throws IOException {
        String url = "http://127.0.0.1:" + FreePort.any();
        Model model = new Models(Provider.ANTHROPIC.environment(url), InstantSource.system(), pause -> {},
                ModelCallListener.NONE).get("anthropic:made-up");
        assertThat(billed(model, question(Optional.of(PRICE), Waiting.MOST))).isZero();
        assertThat(billed(model, question(Optional.empty(), Waiting.MOST))).isZero();
    }

    /// By a server that answers too late. Where a machine is so busy that the time is over before
    /// the server is asked, there is more of it.
    private static Double billedTooLate(FakeProvider server, Provider provider, Optional<Price> price) {
        int before = server.received().size();
        Double billed = null;
        for (Duration time = Duration.ofMillis(100); server.received().size() == before; time = time.multipliedBy(2)) {
            server.plan(Fault.slow(Duration.ofHours(1)));
            billed = billed(provider.model(server), question(price, time));
        }
        return billed;
    }

    private static Double billed(Model model, ModelRequest question) {
        return catchThrowableOfType(ModelUnavailable.class, () -> model.ask(question)).billedUsd();
    }
}
