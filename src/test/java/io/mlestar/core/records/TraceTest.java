package io.mlestar.core.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.StepPath;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
    private static final StepPath STEP = StepPath.parse("r/phase1/candidate0");
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void allProcessesNameTheSameSpans() {
        Trace one = Trace.of(World.header("r", "{}"));
        Trace other = Trace.of(World.header("r", "{}"));
        assertThat(one.id()).isEqualTo(other.id()).matches("[0-9a-f]{32}");
        assertThat(one.span(STEP)).isEqualTo(other.span(STEP)).matches("[0-9a-f]{16}");
        assertThat(one.parent(STEP)).contains(one.span(StepPath.parse("r/phase1")));
        assertThat(one.parent(StepPath.root("r"))).isEmpty();
        assertThat(Trace.of(World.header("s", "{}")).id()).isNotEqualTo(one.id());
        assertThat(one.context(STEP)).isEqualTo(Map.of("traceparent", "00-" + one.id() + "-" + one.span(STEP) + "-01"));
    }

    @Test
    void aRunRequestedInATraceStaysInItInAllProcesses() {
        OneEngine one = new OneEngine();
        one.records.join("r", Trace.parse(PARENT, "vendor=1").orElseThrow());
        one.records.join("r", Trace.parse(PARENT.replace("0af7", "ffff"), "").orElseThrow());
        assertThat(one.records.trace("r")).as("no such run yet").isEmpty();
        one.records.create(World.header("r", "{}"));
        Trace trace = one.records.trace("r").orElseThrow();
        assertThat(trace)
                .isEqualTo(new Trace("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", true, "vendor=1"));
        assertThat(trace.parent(StepPath.root("r"))).contains("b7ad6b7169203331");
        assertThat(trace.context(STEP)).containsEntry("tracestate", "vendor=1");
    }

    @Test
    void whatTheCallerDoesNotRecordIsNotRecorded() {
        Trace trace = Trace.parse(PARENT.replaceFirst("01$", "00"), null).orElseThrow();
        assertThat(trace.sampled()).isFalse();
        assertThat(trace.context(STEP).get("traceparent")).endsWith("-00");
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"nonsense", "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"})
    void whatIsNoContextStartsATraceOfItsOwn(String traceparent) {
        assertThat(Trace.parse(traceparent, "")).isEmpty();
    }

    @Test
    void aLaterVersionIsReadAsFarAsItIsUnderstoodAndAHostileStateIsDropped() {
        assertThat(Trace.parse("01" + PARENT.substring(2) + "-more", "a=b\r\nx-evil: 1")).contains(
                new Trace("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", true, ""));
        assertThat(Trace.parse(PARENT, "a=" + "b".repeat(600)).orElseThrow().state()).isEmpty();
    }
}
