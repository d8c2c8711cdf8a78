package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.step.ModelUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A model that is away for long is asked by one call at a time, for all.
@Timeout(300)
class OutageTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Long> pauses = new CopyOnWriteArrayList<>();

    private Model model(FakeProvider server) {
        return Provider.OPENAI.model(server, now::get, pause -> {
            pauses.add(pause.toSeconds());
            now.updateAndGet(then -> then.plus(pause));
        }, ModelCallListener.NONE);
    }

    private static ModelRequest question(Duration timeout) {
        return new ModelRequest(Optional.empty(), "init", "System.", "Prompt.", List.of(), 20, Optional.empty(),
                Optional.empty(), timeout,
                ModelRequest.Traits.NONE);
    }

    private static Fault[] away(int times) {
        return Collections.nCopies(times, Fault.status(503)).toArray(Fault[]::new);
    }

    @Test
    void manyQuestionsAskOneAtATimeAtGrowingPausesUntilItIsBack() throws Exception {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("back"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Model model = model(server);
            server.plan(away(4 + 4));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class);
            pauses.clear();
            List<Future<String>> answers = IntStream.range(0, 8)
                    .mapToObj(_ -> threads.submit(() -> model.ask(question(ModelRequest.LONGEST)).text())).toList();
            for (Future<String> answer : answers) {
                assertThat(answer.get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("back");
            }
            assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L);
            assertThat(server.received()).hasSize(4 + 4 + 8);
        }
    }

    @Test
    void aQuestionWhoseTimeEndsMeanwhileIsNotAskedAndSaysSinceWhenAndWhy() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("back"))) {
            Model model = model(server);
            server.plan(away(4));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class);
            assertThatThrownBy(() -> model.ask(question(Duration.ofSeconds(3)))).isInstanceOf(ModelUnavailable.class)
                    .hasMessageStartingWith("model openai:made-up has not answered since 2026-01-01T00:00:0")
                    .hasMessageContaining("answered 503: planned by the test");
            assertThat(server.received()).hasSize(4);
            assertThat(model.ask(question(ModelRequest.LONGEST)).text()).isEqualTo("back");
        }
    }

    @Test
    void aServerThatRefusesAQuestionIsBack() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("back"))) {
            Model model = model(server);
            server.plan(away(4));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class);
            server.plan(Fault.status(400));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST)))
                    .hasMessageContaining("refuses the request");
            pauses.clear();
            assertThat(model.ask(question(ModelRequest.LONGEST)).text()).isEqualTo("back");
            assertThat(pauses).isEmpty();
        }
    }
}
