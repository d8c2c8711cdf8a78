package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// Which part of a request a refusal means, on each protocol.
class RefusedPartsTest {
    private static final String ANSWER = "{\"models\": []}";

    @TempDir
    private Path folder;

    /// An agent with a tool and a form of its answer.
    ///
    /// @param where the part stands in a request, and with which value, if others are taken there
    /// @param parts those that the run goes on without, in this order; `-` if it does not go on
    @ParameterizedTest
    @CsvFileSource(resources = "/refusals.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    void anAgentGetsItsAnswerWithoutThePart(Provider provider, String where, String said, String parts)
            throws IOException {
        Store store = new MemoryStore();
        List<String> lacking = Stream.of(parts.split(" ")).filter(part -> !part.equals("-")).toList();
        try (FakeProvider server = provider.start(Answerer.always(ANSWER))) {
            server.refuse(body -> holds(body, where)
                    ? Optional.of(new Fault.Foreign(400, "application/json", server.error(400, said).toString()))
                    : Optional.empty());
            if (lacking.isEmpty()) {
                assertThatThrownBy(() -> ask(provider, server, store)).isInstanceOf(StepFailed.class)
                        .hasMessageContaining(said.substring(0, 30));
                assertThat(server.received()).hasSize(1);
                return;
            }
            assertThat(ask(provider, server, store)).isEqualTo(ANSWER);
            assertThat(server.received()).hasSize(1 + lacking.size());
            assertThat(holds(server.received().getLast().body(), where)).isFalse();
            assertThat(store.list("runs/r").stream().map(kept -> kept.replaceFirst("refused-(.*)-.*", "$1")))
                    .containsExactlyInAnyOrderElementsOf(lacking);

            assertThat(ask(provider, server, store)).isEqualTo(ANSWER);
            assertThat(server.received()).as("the same run asks for it once").hasSize(2 + lacking.size());
            assertThat(server.violations()).isEmpty();
        }
    }

    /// Servers in front of Bedrock take no `none`.
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "`{\"tool_choice\":{\"type\":\"none\"},\"tools\":[1]}`,tool_choice: Input tag 'none',`{\"tools\":[1]}`",
        "`{\"tool_choice\":\"none\",\"tools\":[1]}`,unknown field tool_choice,{}",
        "`{\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"NONE\"}},\"tools\":[1]}`,mode of function calling config,{}"})
    void theLastTurnGoesOnWhereToolsCannotBeForbidden(String body, String said, String sent) {
        assertThat(ProviderProfile.UNKNOWN.refusedPart(body, said)).contains(RequestPart.TOOL_CHOICE);
        assertThat(ProviderProfile.UNKNOWN.without(RequestPart.TOOL_CHOICE).fitted(body)).isEqualTo(sent);
    }

    private static boolean holds(JsonNode body, String where) {
        String[] place = where.split("=");
        JsonNode part = body.at(place[0]);
        return place.length > 1 ? part.asText().equals(place[1])
                : !part.isMissingNode() && !(part.isArray() && part.isEmpty());
    }

    private String ask(Provider provider, FakeProvider server, Store store) throws IOException {
        Models models = new Models(provider.environment(server.url()), InstantSource.system(), pause -> {},
                ModelCallListener.NONE, store);
        AgentCaller caller = AgentCallerTest.caller(models, () -> {
            throw new Invalid("there is no Python");
        }, ExternalTools.NONE);
        String settings = "{\"model\": \"" + provider.modelName() + "\", \"provider_search\": false}";
        return caller.ask(Optional.of(StepPath.parse("r/phase1/retriever")), new Retriever("Predict y.", 1, null),
                AgentCallerTest.context(folder, settings), Waiting.MOST, RetryApproval.FREE, () -> folder).text();
    }
}
