package io.mlestar.deploy;

import io.fabric8.knative.duck.v1.Destination;
import io.fabric8.knative.duck.v1.DestinationBuilder;
import io.fabric8.knative.eventing.v1.Trigger;
import io.fabric8.knative.eventing.v1.TriggerBuilder;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions;
import io.mlestar.core.event.Functions.Spec;
import module java.base;

/// The Triggers: which events of the broker lead to which function, or to which kind of machine.
final class Triggers {
    /// The time that a broker waits longer than a request may last.
    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final int MOST_RETRIES = 10;

    private Triggers() {}

    static Trigger of(Spec function) {
        return trigger(function.kubernetesName(), function, Map.of(),
                to("serving.knative.dev/v1", "Service", function.kubernetesName()).build());
    }

    /// Which machine is a fact of the run, and told by its script's events; what machines there are
    /// is a fact of the cluster.
    static Trigger script(String name, String machine) {
        return trigger(name, Functions.exported("script").orElseThrow(), Map.of(Event.HARDWARE, machine),
                to("sinks.knative.dev/v1alpha1", "JobSink", "script-" + machine).build());
    }

    /// The timeout as a Trigger says it, for a request that may last so long.
    static String timeout(Duration longestRequest) {
        return "PT" + longestRequest.plus(MARGIN).toSeconds() + "S";
    }

    private static Trigger trigger(String name, Spec function, Map<String, String> attributes, Destination subscriber) {
        String own = function.kubernetesName();
        return new TriggerBuilder()
                .withNewMetadata().withName(name).addToLabels("app.kubernetes.io/component", own)
                .addToLabels("mlestar.io/function", own).endMetadata()
                .withNewSpec()
                .withBroker("mlestar")
                .withNewFilter().addToAttributes("type", function.type()).addToAttributes(attributes).endFilter()
                .withSubscriber(subscriber)
                .withNewDelivery()
                .withTimeout(timeout(function.longestRequest()))
                .withRetry(MOST_RETRIES).withBackoffPolicy("exponential").withBackoffDelay("PT0.2S")
                .withDeadLetterSink(
                        to("serving.knative.dev/v1", "Service", "dead-letter").withUri("/dead-letter").build())
                .endDelivery()
                .endSpec().build();
    }

    private static DestinationBuilder to(String apiVersion, String kind, String name) {
        return new DestinationBuilder().withNewRef().withApiVersion(apiVersion).withKind(kind).withName(name).endRef();
    }
}
