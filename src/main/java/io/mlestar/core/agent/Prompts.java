package io.mlestar.core.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.MetricDirection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The twenty prompts by agent and variant (REQ-DM-032 to 035). Each is a file under `prompts/`
/// with a short header.
public final class Prompts {
    private static final Map<String, String> PARTS = new ConcurrentHashMap<>();
    private static final String NOTES = "\n\n" + part("notes") + "\n";
    private static final String FINDINGS = "\n\n" + part("findings") + "\n\n";
    private static final String PERSONA = part("persona");

    /// A shorter beginning, in characters, is not worth a cache mark of its own beside that of the
    /// system prompt.
    private static final int SHORT_HEAD = 500;

    private static final YAMLMapper YAML = new YAMLMapper();

    private final List<PromptFile> files;

    private record PromptFile(PromptTemplate template, String text) {}

    private Prompts(List<PromptFile> files) {
        this.files = files;
    }

    /// Reads the prompts that the program was built with; a file of the same name in the folder
    /// that `MLE_STAR_PROMPTS` names stands in for one of them.
    ///
    /// @throws Invalid if that folder is not there, holds a prompt of another name, or one that
    ///   does not fit its place
    public static Prompts load(Map<String, String> environment) {
        return load(environment, Agents.ALL.prompts());
    }

    static Prompts load(Map<String, String> environment, List<String> names) {
        Optional<Path> folder =
                Optional.ofNullable(environment.get("MLE_STAR_PROMPTS"))
                        .filter(name -> !name.isBlank())
                        .map(Path::of);
        folder.ifPresent(path -> check(path, names));
        List<PromptFile> prompts = new ArrayList<>();
        try {
            for (String name : names) {
                String file = "prompts/" + name + ".md";
                PromptFile built = parse(file, resourceText("/" + file));
                Optional<Path> own =
                        folder.map(path -> path.resolve(name + ".md")).filter(Files::exists);
                prompts.add(own.isEmpty() ? built : replaced(own.get(), built.template()));
            }
            return new Prompts(prompts);
        } catch (IOException e) {
            throw new Invalid("cannot read the prompts of MLE_STAR_PROMPTS: " + e.getMessage());
        }
    }

    private static void check(Path folder, List<String> names) {
        if (!Files.isDirectory(folder)) {
            throw new Invalid("MLE_STAR_PROMPTS: " + folder + " is not a folder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (String file : files.map(path -> path.getFileName().toString()).sorted().toList()) {
                if (file.endsWith(".md") && !names.contains(file.substring(0, file.length() - 3))) {
                    throw new Invalid(
                            "MLE_STAR_PROMPTS: there is no prompt " + file + "; the prompts are "
                                    + String.join(", ", names));
                }
            }
        } catch (IOException e) {
            throw new Invalid("cannot read MLE_STAR_PROMPTS: " + e.getMessage());
        }
    }

    /// Words may differ; what the agent fills in may not.
    private static PromptFile replaced(Path file, PromptTemplate built) throws IOException {
        PromptFile own =
                parse(file.toString(), Files.readString(Invalid.file(file.toString(), file)));
        if (own.template().agentType() != built.agentType()
                || !own.template().variant().equals(built.variant())
                || !Set.copyOf(own.template().variables()).equals(Set.copyOf(built.variables()))) {
            throw new Invalid(
                    file + ": agent, variant and variables must be those of the prompt it replaces, variables: "
                            + built.variables());
        }
        return own;
    }

    public static String resourceText(String name) {
        try (InputStream in = Prompts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program was built without " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A text that several prompts share, or that one holds in some runs only.
    public static String part(String name) {
        return PARTS.computeIfAbsent(name,
                _ -> resourceText("/prompts/parts/" + name + ".txt").stripTrailing());
    }

    /// A part with its places filled, and its sections shown where their variable is not empty.
    static String part(String name, Map<String, String> values) {
        return PromptTemplate.filled(part(name), values).stripTrailing();
    }

    private static PromptFile parse(String file, String text) {
        String[] parts = text.split("(?m)^---\\R", 3);
        try {
            JsonNode header = parts.length < 3 ? Json.object() : YAML.readTree(parts[1]);
            List<String> variables = new ArrayList<>();
            header.path("variables").forEach(variable -> variables.add(variable.asText()));
            AgentType agent = AgentType.of(header.path("agent").asText())
                    .orElseThrow(() -> new Invalid(file + ": the header must name the agent"));
            Optional<String> variant =
                    Optional.ofNullable(header.get("variant")).map(JsonNode::asText);
            return new PromptFile(new PromptTemplate(agent, variant, header.path("figure").asText(),
                    parts[2].strip(), variables), text);
        } catch (JsonProcessingException e) {
            throw new Invalid(file + ": the header is not YAML");
        }
    }

    public List<PromptTemplate> all() {
        return files.stream().map(PromptFile::template).toList();
    }

    /// SHA-256 over all prompt files: a run records it, so that people see which runs began with
    /// the same.
    public String digest() {
        return digest(_ -> true);
    }

    /// SHA-256 over the prompt files of one agent, all its variants.
    public String digest(AgentType agent) {
        return digest(file -> file.template().agentType() == agent);
    }

    private String digest(Predicate<PromptFile> which) {
        String texts =
                files.stream().filter(which).map(PromptFile::text).collect(Collectors.joining());
        return Sha256.hex(texts.getBytes(StandardCharsets.UTF_8));
    }

    /// The agent's main prompt: its only one, or detection for leakage, or Figure 25 for test.
    public PromptTemplate get(AgentType agent) {
        return get(agent, Optional.of("detection")).or(() -> get(agent, Optional.empty()))
                .orElseThrow(() -> new NoSuchElementException("no prompt for agent " + agent.id()));
    }

    /// That of a variant; empty if there is none.
    Optional<PromptTemplate> get(AgentType agent, Optional<String> variant) {
        return all().stream()
                .filter(template -> template.agentType() == agent
                        && template.variant().equals(variant))
                .findFirst();
    }

    /// A prompt as an agent receives it.
    ///
    /// @param shared how many characters at its beginning other questions begin with, too; 0 if
    ///   none do
    public record Rendered(String text, int shared) {}

    public Rendered render(Agent<?> agent, RunContext context, Abilities abilities) {
        PromptTemplate template =
                get(agent.type(), agent.variant()).orElseGet(() -> get(agent.type()));
        Map<String, String> variables = agent.variables(context);
        String tools = abilities.section(agent, context);
        String text = template.render(variables) + (tools.isEmpty() ? "" : "\n\n" + tools);
        int head = template.head() < SHORT_HEAD ? 0 : template.head();
        return new Rendered(text + findings(context.findings()) + notes(agent, context),
                agent.cachePrefix().map(shared -> template.until(shared, variables)).orElse(head));
    }

    private static String findings(List<String> lines) {
        return lines.isEmpty() ? "" : FINDINGS + String.join("\n", lines) + "\n";
    }

    /// The notes for an agent. They stand at the end, so that providers may go on reading all
    /// before them from their caches.
    private static String notes(Agent<?> agent, RunContext context) {
        if (!agent.receivesNotes() || context.notes().isEmpty()) {
            return "";
        }
        return context.notes()
                .stream()
                .map(note -> "\n" + note.item())
                .collect(Collectors.joining("", NOTES, "\n"));
    }

    /// The system prompt of every call: persona, task, data, metric, validation, machine
    /// (REQ-OR-007). Equal within a run, so that providers can cache it.
    public static String system(RunContext context) {
        return PERSONA + "\n\n# Task\n\n" + context.task().description().strip()
                + DataSection.of(context)
                + "\n\n# Metric\n\n" + metricSentence(context)
                + "\n\n# Validation\n\n" + ValidationRules.section(context) + "\n\n# Machine\n\n"
                + MachineSection.of(context) + "\n";
    }

    static String metricSentence(RunContext context) {
        MetricDirection direction = context.direction();
        return "The evaluation metric of the task is " + context.task().evaluationMetric()
                + ", to be "
                + direction.name().toLowerCase(Locale.ROOT) + "d: a " + direction.better()
                + " score is better. It prevails over any other metric.";
    }
}
