package io.mlestar.core.agent;

import io.mlestar.core.task.AgentType;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A prompt with named places (REQ-DM-030).
///
/// @param variant which of the agent's templates; empty is the main one
/// @param figureRef figure of the paper, e.g. `Figure 16`
/// @param variables the names that are places; any other word in braces is plain text
public record PromptTemplate(
        AgentType agentType, Optional<String> variant, String figureRef, String template, List<String> variables) {
    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

    public PromptTemplate {
        variables = List.copyOf(variables);
    }

    /// Fills the places in one pass, so that braces in inserted text stay as they are (REQ-DM-031).
    ///
    /// @throws NoSuchElementException if a variable has no value
    public String render(Map<String, String> values) {
        for (String variable : variables) {
            if (values.get(variable) == null) {
                throw new NoSuchElementException(
                        "no value for the variable " + variable + " of the " + figureRef + " prompt");
            }
        }
        return filled(template, values);
    }

    /// How long the rendered prompt is up to the end of this variable; 0 if it has no such place.
    int until(String variable, Map<String, String> values) {
        int at = variables.contains(variable) ? template.indexOf("{" + variable + "}") : -1;
        return at < 0 ? 0 : filled(template.substring(0, at + variable.length() + 2), values).length();
    }

    /// How long the prompt is before its first variable: the same for all questions of the agent.
    int head() {
        return variables.stream().mapToInt(variable -> template.indexOf("{" + variable + "}")).filter(at -> at >= 0)
                .min().orElse(template.length());
    }

    private String filled(String text, Map<String, String> values) {
        return PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(
                variables.contains(place.group(1)) ? values.get(place.group(1)) : place.group()));
    }
}
