package io.mlestar.core.agent;

import io.mlestar.core.task.AgentType;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A prompt with named places (REQ-DM-030), and sections `{#name}…{/name}` that vanish where the
/// variable is empty, or `{^name}…{/name}` where it is not.
///
/// @param variant which of the agent's templates; empty is the main one
/// @param figureRef figure of the paper, e.g. `Figure 16`
/// @param variables the names that are places; any other word in braces is plain text
public record PromptTemplate(
        AgentType agentType,
        Optional<String> variant,
        String figureRef,
        String template,
        List<String> variables) {
    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");
    /// Matches a section with its marks, and with the ends of lines that hold nothing but a mark.
    private static final Pattern SECTION = Pattern.compile(
            "(?sm)\\{([#^])(\\w+)}((?<=^\\{[#^]\\w{1,40}})\\n)?(?<text>.*?)\\{/\\2}((?<=^\\{/\\w{1,40}})\\n)?");
    private static final Pattern TAG = Pattern.compile("\\{[#^]?(\\w+)}");

    public PromptTemplate {
        variables = List.copyOf(variables);
    }

    /// Fills the places in one pass, so that braces in inserted text stay as they are (REQ-DM-031).
    ///
    /// @throws NoSuchElementException if a variable has no value
    public String render(Map<String, String> values) {
        return filled(template, known(values)).stripTrailing();
    }

    /// Fills the places of any text.
    static String filled(String text, Map<String, String> values) {
        return PLACE.matcher(sections(text, values))
                .replaceAll(place -> Matcher
                        .quoteReplacement(values.getOrDefault(place.group(1), place.group())));
    }

    /// The value of a variable that only shows a section, or hides it.
    static String when(boolean isShown) {
        return isShown ? "true" : "";
    }

    private Map<String, String> known(Map<String, String> values) {
        return variables.stream().collect(Collectors.toMap(Function.identity(), name -> {
            String value = values.get(name);
            if (value == null) {
                throw new NoSuchElementException(
                        "no value for the variable " + name + " of the " + figureRef + " prompt");
            }
            return value;
        }));
    }

    /// The length of the rendered prompt up to the end of this variable; 0 if it has no such place.
    int until(String variable, Map<String, String> values) {
        Map<String, String> known = known(values);
        String shown = sections(template, known);
        int at = known.containsKey(variable) ? shown.indexOf("{" + variable + "}") : -1;
        return at < 0 ? 0 : filled(shown.substring(0, at + variable.length() + 2), known).length();
    }

    /// The length of the prompt before its first variable: the same for all questions of the agent.
    int head() {
        return TAG.matcher(template)
                .results()
                .filter(tag -> variables.contains(tag.group(1)))
                .mapToInt(MatchResult::start)
                .findFirst()
                .orElse(template.length());
    }

    private static String sections(String text, Map<String, String> values) {
        return SECTION.matcher(text)
                .replaceAll(section -> Matcher.quoteReplacement(section(section, values)));
    }

    private static String section(MatchResult found, Map<String, String> values) {
        String variable = found.group(2);
        if (!values.containsKey(variable)) {
            return found.group();
        }
        boolean isShown = "".equals(values.get(variable)) == found.group(1).equals("^");
        return isShown ? sections(found.group("text"), values) : "";
    }
}
