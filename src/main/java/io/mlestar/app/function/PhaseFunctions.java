package io.mlestar.app.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.event.Event;
import io.quarkus.funqy.Funq;
import io.quarkus.funqy.knative.events.CloudEventMapping;

/// One function per kind of phase: each event lets the phase go on as far as what is known reaches.
/// `make manifests` writes the methods.
public class PhaseFunctions {
    private final Engine engine;

    PhaseFunctions(Engine engine) {
        this.engine = engine;
    }

    @Funq("attempt")
    @CloudEventMapping(trigger = "io.mlestar.phase.attempt")
    public void attempt(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("blended-ensemble")
    @CloudEventMapping(trigger = "io.mlestar.phase.blended-ensemble")
    public void blendedEnsemble(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("candidate")
    @CloudEventMapping(trigger = "io.mlestar.phase.candidate")
    public void candidate(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("ensemble")
    @CloudEventMapping(trigger = "io.mlestar.phase.ensemble")
    public void ensemble(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("evaluation")
    @CloudEventMapping(trigger = "io.mlestar.phase.evaluation")
    public void evaluation(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("finalization")
    @CloudEventMapping(trigger = "io.mlestar.phase.finalization")
    public void finalization(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("first-solutions")
    @CloudEventMapping(trigger = "io.mlestar.phase.first-solutions")
    public void firstSolutions(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("initial-solution")
    @CloudEventMapping(trigger = "io.mlestar.phase.initial-solution")
    public void initialSolution(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("leg")
    @CloudEventMapping(trigger = "io.mlestar.phase.leg")
    public void leg(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("merge")
    @CloudEventMapping(trigger = "io.mlestar.phase.merge")
    public void merge(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("outer-step")
    @CloudEventMapping(trigger = "io.mlestar.phase.outer-step")
    public void outerStep(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("pipeline")
    @CloudEventMapping(trigger = "io.mlestar.phase.pipeline")
    public void pipeline(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("refinement")
    @CloudEventMapping(trigger = "io.mlestar.phase.refinement")
    public void refinement(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("round")
    @CloudEventMapping(trigger = "io.mlestar.phase.round")
    public void round(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("search")
    @CloudEventMapping(trigger = "io.mlestar.phase.search")
    public void search(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("survey")
    @CloudEventMapping(trigger = "io.mlestar.phase.survey")
    public void survey(JsonNode event) {
        engine.work(Event.stepOf(event));
    }

    @Funq("turn")
    @CloudEventMapping(trigger = "io.mlestar.phase.turn")
    public void turn(JsonNode event) {
        engine.work(Event.stepOf(event));
    }
}
