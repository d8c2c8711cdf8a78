package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.task.AgentType;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PromptTemplateTest {
    private static PromptTemplate template(String text, String... variables) {
        return new PromptTemplate(AgentType.RETRIEVER, Optional.empty(), "Figure 9", text, List.of(variables));
    }

    @Test
    @Requirement({"REQ-DM-030", "REQ-DM-031"})
    void fillsThePlaces() {
        PromptTemplate template = template("List {M} models for {task_description}", "M", "task_description");

        assertThat(template.render(Map.of("M", "4", "task_description", "classify images")))
                .isEqualTo("List 4 models for classify images");
        assertThat(template.figureRef()).isEqualTo("Figure 9");
        assertThat(template.variables()).containsExactly("M", "task_description");
    }

    @Test
    @Requirement("REQ-DM-031")
    void bracesThatAreNoPlacesStay() {
        String text = "Print {final_validation_score}; {'code_block': str}; {}; {{a}}; { a }; {\"plans\": [{a}]}";

        assertThat(template(text, "a").render(Map.of("a", "1", "final_validation_score", "never")))
                .isEqualTo("Print {final_validation_score}; {'code_block': str}; {}; {1}; { a }; {\"plans\": [1]}");
    }

    @Test
    @Requirement("REQ-DM-031")
    void insertedTextIsNotExpandedAgain() {
        assertThat(template("{code} {plan}", "code", "plan").render(Map.of("code", "{plan} $1 ${code} \\1 \\", "plan",
                "{code}$0\\E")))
                .isEqualTo("{plan} $1 ${code} \\1 \\ {code}$0\\E");
    }

    @Test
    void aSectionWithNothingToSayVanishesWithItsTitleAndItsLines() {
        PromptTemplate template = template("""
                First{#a}, {a}{/a}.
                {#a}
                # Title

                {^b}
                no b
                {/b}
                {/a}
                {#other}stays{/other}""", "a", "b");

        assertThat(template.render(Map.of("a", "{#b}$1{/b}", "b", ""))).isEqualTo(
                "First, {#b}$1{/b}.\n# Title\n\nno b\n{#other}stays{/other}");
        assertThat(template.render(Map.of("a", "", "b", "x"))).isEqualTo("First.\n{#other}stays{/other}");
        assertThat(template.until("a", Map.of("a", "four", "b", ""))).isEqualTo("First, four".length());
    }

    @Test
    @Requirement("REQ-DM-031")
    void aMissingVariableIsNamed() {
        assertThatThrownBy(() -> template("{a} {b}", "a", "b").render(Map.of("a", "x")))
                .isInstanceOf(NoSuchElementException.class).hasMessageContaining("variable b")
                .hasMessageContaining("Figure 9");
        // Required also where the text does not use it.
        assertThatThrownBy(() -> template("no places", "a").render(Map.of()))
                .isInstanceOf(NoSuchElementException.class);
    }
}
