package io.mlestar.interfaces;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.grade.Grade;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Trace;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.AgentType;
import io.mlestar.show.report.RunGrade;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The descriptions of the interfaces are those of the program, and what it writes is what they
/// say.
class InterfacesTest {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"num_parallel_solutions\": 2, \"ensemble_rounds\": 2}";

    @Test
    void theDescriptionsAreThoseOfTheProgram() throws Exception {
        for (Map.Entry<Path, String> file : Interfaces.files().entrySet()) {
            assertThat(Files.readString(file.getKey()))
                    .as("%s; `make interfaces` writes it. Look at what changes for those who use it: a field less, a field more that is asked for, is a breaking change",
                            file.getKey())
                    .isEqualTo(file.getValue());
        }
    }

    @Test
    void everyFunctionIsDescribed() {
        Described http = Described.by("openapi.json");
        assertThat(Functions.ALL).allSatisfy(function -> assertThat(
                http.document().path("paths").path("/" + function.export()).path("post").isObject())
                .as(function.export()).isTrue());
        assertThat(http.document().findValuesAsText("operationId")).doesNotHaveDuplicates().hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openapi.json", "schemas.json"})
    void everyReferenceLeadsSomewhere(String file) {
        Described document = Described.by(file);
        assertThat(document.document().findValuesAsText("$ref")).isNotEmpty().allSatisfy(reference -> {
            assertThat(reference).startsWith("#/");
            assertThat(document.document().at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
        });
    }

    @ParameterizedTest
    @EnumSource(AgentType.class)
    void theExampleOfAnAgentIsWhatItsRouteTakes(AgentType agent) {
        JsonNode example = Inputs.example(agent.id());
        assertThat(taken(agent.id(), example)).isEmpty();
        assertThat(taken(agent.id(), ((ObjectNode) example.deepCopy()).put("unknown", 1))).isNotEmpty();
    }

    /// @return what the schema of a route has against the body
    private static List<String> taken(String route, JsonNode body) {
        return Described.by("openapi.json")
                .problems("/paths/~1" + route + "/post/requestBody/content/application~1json/schema", body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/events.md", "docs/interfaces.md"})
    void whatTheDocumentsSendIsWhatTheRoutesTake(String document) throws Exception {
        List<String> sent =
                Pattern.compile("curl localhost:8080/([a-z_-]+) (?:[^'\\n]|\\\\\\n|'[^{][^']*')*-d '(\\{[^']*})'")
                        .matcher(Files.readString(Path.of(document)))
                        .results()
                        .flatMap(example -> taken(example.group(1), Json.parse(example.group(2))).stream()
                                .map(problem -> example.group(1) + ": " + problem))
                        .toList();
        assertThat(sent).isEmpty();
        assertThat(Files.readString(Path.of(document))).contains("-d '{");
    }

    /// A run that ends well, one with many faults, one that shares the results of the first, and
    /// one that must fail.
    @Test
    void allRecordsAndEventsOfRunsAreDescribed() {
        Store store = new MemoryStore();
        DrivenRun good = DrivenRun.start(store, "good", CONFIG, 0).untilTheEnd();
        DrivenRun faulty = DrivenRun.start(store, "faulty", CONFIG, 40).until("phase1");
        Records records = faulty.records();
        records.cancel("faulty");
        faulty.untilTheEnd();
        DrivenRun failed = DrivenRun.start(store, "failed", CONFIG, 100).untilTheEnd();
        DrivenRun.sharing(store, "fork", "good", CONFIG).untilTheEnd();
        whatSeldomHappens(records);
        List<Event> events = Stream.of(good, faulty, failed).flatMap(run -> run.published().stream()).toList();
        assertThat(events).extracting(Event::type).contains(Event.RUN_COMPLETED, Event.RUN_FAILED, Event.SCRIPT);
        areDescribed(events);
        Set<String> all = new TreeSet<>();
        Described.by("schemas.json").document().path("x-objects").fieldNames().forEachRemaining(all::add);
        Set<String> seen = new HashSet<>(areDescribed(store, "runs"));
        seen.addAll(areDescribed(store, "spending"));
        assertThat(seen).containsAll(all);
    }

    @Test
    void theRecordsOfAReleasedProgramAreDescribed() throws Exception {
        Store store = new MemoryStore();
        Json.parse(Files.readString(Path.of("src/test/resources/released/format-1.json"))).properties()
                .forEach(object -> store.create(object.getKey(),
                        object.getValue().asText().getBytes(StandardCharsets.UTF_8)));
        assertThat(areDescribed(store, "runs")).contains("runs/*/run.json", "runs/*/steps.request.json",
                "runs/*/steps/*.result.json");
    }

    private static void whatSeldomHappens(Records records) {
        new Ledger(records).warn("good", 9, 10);
        Instant now = Instant.now();
        new Notes(records.store()).add("good", new Note(now, "ann", "try folds"));
        new Extensions(records.store()).add(records.header("good").orElseThrow(), new Extension(now, "ann", 5, 0));
        RunHeader run = records.header("good").orElseThrow();
        new Extensions(records.store()).add(run, new Extension(now, "ann", 5, 0));
        StepPath step = new StepPath("good", "phase1/retriever");
        records.invocations().abort(step, 1, now, "the server was away", null);
        records.invocations().memory(step, 1, "short of memory");
        records.invocations().sendAgain(step, 1, now);
        records.join("good", Trace.parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "").orElseThrow());
        assertThat(records.promptChange("good", records.marks("good"), AgentType.RETRIEVER, "others")).isPresent();
        records.accept("good", AgentType.RETRIEVER, "others");
        records.close(step.parent().orElseThrow());
        records.store().create(Records.key("good", "refused-tools-0123456789ab.json"),
                ChecksummedJson.bytes(Map.of("model", "openai:m", "part", "tools", "said", "no tools here")));
        new DailyBudget(records.store(), 10).begin(step, 1, false, now, 0.5).ended(0.25);
        RunGrade.keep(records, "good", new Grade("AUC", 0.8, 100));
    }

    static void areDescribed(List<Event> told) {
        Described events = Described.by("openapi.json").strictly();
        Set<String> problems = new TreeSet<>();
        for (Event event : told) {
            boolean goesOut = events.document().path("webhooks").has(event.type());
            String data = goesOut ? "/webhooks/" + event.type() + "/post/requestBody/content/application~1json/schema"
                    : "/components/schemas/Work";
            events.problems(data, event.data()).forEach(problem -> problems.add(event.type() + ": " + problem));
        }
        assertThat(problems).isEmpty();
    }

    /// @return the kinds of keys that were there
    static Set<String> areDescribed(Store store, String folder) {
        Described objects = Described.by("schemas.json").strictly();
        Set<String> kinds = new HashSet<>();
        Set<String> problems = new TreeSet<>();
        keys(store, folder).filter(key -> key.endsWith(".json") || key.startsWith("spending/")).forEach(key -> {
            List<String> fitting = objects.document().path("x-objects").properties().stream().map(Map.Entry::getKey)
                    .filter(pattern -> key
                            .matches(Pattern.quote(pattern).replace("*", "\\E.+?\\Q").replace("/.+?/", "/[^/]+/")))
                    .toList();
            if (fitting.isEmpty()) {
                problems.add("no schema is known for " + key);
                return;
            }
            kinds.add(fitting.getFirst());
            ObjectNode record = (ObjectNode) Json.parse(store.read(key).orElseThrow());
            record.remove(List.of("program", "format", "sha256"));
            objects.problems(objects.document().path("x-objects").path(fitting.getFirst()), record)
                    .forEach(problem -> problems.add(key + ": " + problem));
        });
        assertThat(problems).isEmpty();
        return kinds;
    }

    private static Stream<String> keys(Store store, String folder) {
        return store.list(folder).stream()
                .flatMap(name -> name.endsWith("/") ? keys(store, folder + "/" + name.substring(0, name.length() - 1))
                        : Stream.of(folder + "/" + name));
    }
}
