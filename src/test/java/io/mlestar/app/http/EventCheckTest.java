package io.mlestar.app.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.app.cli.Program;
import io.mlestar.app.web.RawHttp;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What can never succeed is answered with a status that a broker takes as final, over HTTP, in
/// both modes of CloudEvents.
@QuarkusTest
@Tag("quarkus")
class EventCheckTest {

    @Inject
    Publisher publisher;

    private static RequestSpecification binary(String type) {
        return given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "test")
                .header("ce-type", type)
                .header("ce-id", "1");
    }

    private static ValidatableResponse structured(String body) {
        return given().contentType("application/cloudevents+json").body(body).post("/").then();
    }

    private static ObjectNode event(String type) {
        ObjectNode event =
                Json.object().put("specversion", "1.0").put("id", "1").put("source", "test").put("type", type);
        event.putObject("data").put("run_id", "none").put("step", "none/x");
        return event;
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "source", "type", "specversion"})
    void aMissingAttributeIsNamed(String name) {
        RequestSpecification request = given().contentType(ContentType.JSON);
        List.of("id", "source", "type", "specversion").stream().filter(other -> !other.equals(name))
                .forEach(other -> request.header("ce-" + other, other.equals("specversion") ? "1.0" : other));
        request.body("{}").post("/").then().statusCode(400).body("detail", containsString("the event has no " + name));
        structured(Json.line(event("io.mlestar.agent.init").without(name))).statusCode(400)
                .body("detail", containsString("the event has no " + name));
        structured(Json.line(event("io.mlestar.agent.init").put(name, 7))).statusCode(400)
                .body("detail", containsString("the event has no " + name));
    }

    /// CloudEvents, HTTP Protocol Binding 1.0.2, 3.2.3: such headers may be there.
    @Test
    void headersBesideAStructuredEventDoNotCount() {
        RequestSpecification both = binary("io.mlestar.phase.ensemble").contentType("application/cloudevents+json");
        both.body(Json.line(event(Event.SWEEP))).post("/").then().statusCode(204);
        both.body(Json.line(event("io.mlestar.nobody"))).post("/").then().statusCode(422).body("detail",
                containsString("io.mlestar.nobody"));
    }

    @Test
    void anEventWithoutDataSaysSo() {
        binary("io.mlestar.agent.init").post("/").then().statusCode(400).body("detail", containsString("no data"));
        structured(Json.line(event("io.mlestar.agent.init").without("data"))).statusCode(400).body("detail",
                containsString("no data"));
        binary(Event.SWEEP).post("/").then().statusCode(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Type: text/plain\n", "Content-Type: application/x-www-form-urlencoded\n",
        "Content-Type: application/xml\n",
        "Content-Type: application/cloudevents-batch+json\n", "Content-Type: json\n", "Content-Type:\n"})
    void anotherTypeThanJsonOrNoneIs415(String type) throws Exception {
        for (String path : List.of("/planner", "/run-requested", "/")) {
            RawHttp answer =
                    RawHttp.send(URI.create("http://127.0.0.1:" + RestAssured.port),
                            RawHttp.request("POST " + path, "Host: localhost\n" + type, "{}"));
            assertThat(answer.status()).as(path + answer.text()).isEqualTo(415);
            assertThat(Json.parse(answer.body()).path("detail").asText())
                    .matches("send .*(application/json|one event at a time).*");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Application/JSON", "text/json", "application/vnd.acme.v1+json",
        "APPLICATION/JSON; charset=utf-8"})
    void mediaTypesHaveNoCaseAndEachOfJsonIsTaken(String type) throws Exception {
        for (String head : List.of("POST /planner|",
                "POST /|ce-specversion: 1.0\nce-source: t\nce-id: 1\nce-type: io.mlestar.agent.planner\n")) {
            RawHttp answer = RawHttp.send(URI.create("http://127.0.0.1:" + RestAssured.port),
                    RawHttp.request(head.split("\\|", -1)[0],
                            "Host: localhost\nContent-Type: " + type + "\n" + head.split("\\|", -1)[1],
                            head.contains("ce-") ? "{\"run_id\": \"none\", \"step\": \"none/x\"}"
                                    : "{\"code_block\": \"a\", \"plans\": [\"p\"], \"scores\": [0.5]}"));
            assertThat(answer.status()).as(answer.text()).isEqualTo(head.contains("ce-") ? 422 : 200);
        }
        for (String written : List.of("application/cloudevents+json", "Application/CloudEvents+JSON; charset=UTF-8")) {
            given().contentType(written).body(Json.line(event("io.mlestar.agent.init").put("datacontenttype", type)))
                    .post("/").then().statusCode(422)
                    .body("detail", containsString("none"));
        }
    }

    private static String request(String fields) {
        return "{" + fields + " \"task\": " + Program.TASK + "}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "run_id": "../x",       | run_id must be
            "config": {"x": 1},     | unknown field x
            "fork": {"run": 5},     | fork.run must be
            """)
    void aRequestForARunIsRefusedAndItsSenderIsToldByAnEventToo(String fields, String said) {
        List<Event> told = new CopyOnWriteArrayList<>();
        ((EmbeddedBroker) publisher).listen(told::add);
        String id = UUID.randomUUID().toString();
        for (int time = 0; time < 2; time++) {
            given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "me")
                    .header("ce-type", Event.RUN_REQUESTED)
                    .header("ce-id", id).body(request(fields)).post("/").then().statusCode(422)
                    .body("detail", containsString(said));
        }
        List<Event> ends = told.stream().filter(event -> event.data().at("/request/id").asText().equals(id)).toList();
        assertThat(ends).hasSize(2).allSatisfy(end -> {
            assertThat(end.type()).isEqualTo(Event.RUN_FAILED);
            assertThat(end.data().path("error").asText()).contains(said);
            assertThat(end.data().has("run_id")).isFalse();
        });
        assertThat(ends.getFirst()).isEqualTo(ends.getLast());
    }
}
