package io.mlestar.deploy;

import io.fabric8.knative.duck.v1.DeliverySpec;
import io.fabric8.knative.duck.v1.Destination;
import io.fabric8.knative.duck.v1.KReference;
import io.fabric8.knative.eventing.v1.Broker;
import io.fabric8.knative.eventing.v1.Trigger;
import io.fabric8.knative.eventing.v1alpha1.EventPolicy;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.knative.sources.v1.PingSource;
import io.fabric8.knative.sources.v1.SinkBinding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.app.http.Role;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions.FunctionKind;
import io.mlestar.core.event.Functions.Spec;
import io.mlestar.core.event.Functions;
import module java.base;
import org.jspecify.annotations.Nullable;

/// Checks on how events travel. Each gives what is wrong, one line each.
final class EventChecks {
    /// Services of the profile `small`, each for many functions.
    private static final Set<String> SHARED = Set.of("agents", "phases");

    private EventChecks() {}

    static List<String> of(Installation installed) {
        return Stream.of(functions(installed), addresses(installed), deadLetters(installed), circles(installed),
                timeouts(installed), bindings(installed),
                labels(installed)).flatMap(List::stream).toList();
    }

    private static String name(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    private static KReference subscriber(Trigger trigger) {
        return trigger.getSpec().getSubscriber().getRef();
    }

    /// Each function has its Trigger, Service and type, and there are no others.
    private static List<String> functions(Installation installed) {
        List<String> wrong = new ArrayList<>();
        Map<Map<String, String>, String> filters = new HashMap<>();
        for (Trigger trigger : installed.all(Trigger.class)) {
            Map<String, String> filter = trigger.getSpec().getFilter().getAttributes();
            if (filters.put(filter, trigger.getMetadata().getName()) != null) {
                wrong.add(name(trigger) + ": another Trigger takes the type " + filter.get("type"));
            }
            if (Functions.ALL.stream().noneMatch(function -> function.type().equals(filter.get("type")))) {
                wrong.add(name(trigger) + ": no function works on events of type " + filter.get("type"));
            }
            String machine = filter.get(Event.HARDWARE);
            if (subscriber(trigger).getKind().equals("JobSink")
                    && !subscriber(trigger).getName().equals("script-" + machine)) {
                wrong.add(name(trigger) + ": scripts for the hardware " + machine + " belong to the JobSink script-"
                        + machine);
            }
        }
        for (Spec function : Functions.ALL) {
            boolean script = function.kind() == FunctionKind.SCRIPT;
            Map<String, String> filter =
                    script ? Map.of("type", function.type(), Event.HARDWARE, "cpu") : Map.of("type", function.type());
            if (!function.kubernetesName().equals(filters.get(filter))) {
                wrong.add(
                        "function " + function.export() + ": no Trigger of its name takes its type " + function.type());
            }
            String kind = script ? "JobSink" : "Service";
            Optional<String> receiver =
                    installed.all(Trigger.class).stream()
                            .filter(trigger -> trigger.getMetadata().getName().equals(function.kubernetesName())
                                    && subscriber(trigger).getKind().equals(kind))
                            .map(trigger -> subscriber(trigger).getName()).findFirst();
            if (receiver.filter(name -> script || name.equals(function.kubernetesName()) || SHARED.contains(name))
                    .isEmpty()) {
                wrong.add("function " + function.export() + ": its Trigger leads elsewhere");
            }
            if (!script && installed.pods().stream()
                    .noneMatch(pods -> pods.owner().getMetadata().getName().equals(receiver.orElse(""))
                            && pods.isOf(classOf(function, receiver.orElse(""))) && serves(pods, function))) {
                wrong.add("function " + function.export() + ": no Service of its name and kind exports it");
            }
        }
        installed.pods().stream()
                .filter(pods -> variable(pods, "QUARKUS_FUNQY_EXPORT")
                        .filter(export -> Functions.exported(export).isEmpty()).isPresent())
                .forEach(pods -> wrong.add(pods.name() + ": exports a function that there is not"));
        return wrong;
    }

    private static String classOf(Spec function, String receiver) {
        return receiver.equals("phases") ? "phase" : function.kind().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static boolean serves(Installation.Pods pods, Spec function) {
        try {
            return Role.of(variable(pods, "QUARKUS_FUNQY_EXPORT"), variable(pods, "MLE_STAR_ROLE")).serves("POST", "/",
                    Optional.of(function.type()));
        } catch (Invalid e) {
            return false;
        }
    }

    /// By this label one function is listed, and rolled out alone.
    private static List<String> labels(Installation installed) {
        return Stream.of(installed.all(Service.class), installed.all(Trigger.class), installed.all(JobSink.class))
                .flatMap(List::stream).filter(object -> {
                    String name = object.getMetadata().getName();
                    return !(name.startsWith("script-") ? "script" : name)
                            .equals(Installation.labels(object.getMetadata().getLabels()).get("mlestar.io/function"));
                }).map(object -> name(object) + ": its label mlestar.io/function must be its name").toList();
    }

    private static Optional<String> variable(Installation.Pods pods, String name) {
        return pods.containers().stream()
                .flatMap(container -> Stream.ofNullable(container.getEnv()).flatMap(List::stream))
                .filter(variable -> variable.getName().equals(name)).map(variable -> variable.getValue()).findFirst();
    }

    /// Every receiver of events exists.
    private static List<String> addresses(Installation installed) {
        List<String> wrong = new ArrayList<>();
        for (Trigger trigger : installed.all(Trigger.class)) {
            resolve(installed, trigger, trigger.getSpec().getSubscriber(), wrong);
            if (!installed.has("eventing.knative.dev/v1", "Broker", trigger.getSpec().getBroker())) {
                wrong.add(name(trigger) + ": there is no Broker " + trigger.getSpec().getBroker());
            }
        }
        deliveries(installed).forEach(
                (owner, delivery) -> deadLetters(delivery).ifPresent(sink -> resolve(installed, owner, sink, wrong)));
        installed.all(PingSource.class).forEach(timer -> resolve(installed, timer, timer.getSpec().getSink(), wrong));
        installed.all(SinkBinding.class)
                .forEach(binding -> resolve(installed, binding, binding.getSpec().getSink(), wrong));
        for (EventPolicy policy : installed.all(EventPolicy.class)) {
            Stream.concat(
                    policy.getSpec().getTo().stream().filter(to -> to.getRef() != null)
                            .map(to -> List.of(to.getRef().getApiVersion(), to.getRef().getKind(),
                                    to.getRef().getName())),
                    policy.getSpec().getFrom().stream().filter(from -> from.getRef() != null)
                            .map(from -> List.of(from.getRef().getApiVersion(), from.getRef().getKind(),
                                    from.getRef().getName())))
                    .filter(ref -> !installed.has(ref.get(0), ref.get(1), ref.get(2)))
                    .forEach(ref -> wrong.add(name(policy) + ": there is no " + ref.get(1) + " " + ref.get(2)));
        }
        return wrong;
    }

    private static void resolve(Installation installed, HasMetadata owner, Destination to, List<String> wrong) {
        if (to.getRef() == null
                || !installed.has(to.getRef().getApiVersion(), to.getRef().getKind(), to.getRef().getName())) {
            wrong.add(name(owner) + ": there is no "
                    + (to.getRef() == null ? to.getUri() : to.getRef().getKind() + " " + to.getRef().getName()));
        }
    }

    private static Map<HasMetadata, DeliverySpec> deliveries(Installation installed) {
        Map<HasMetadata, DeliverySpec> deliveries = new java.util.LinkedHashMap<>();
        installed.all(Broker.class).forEach(broker -> deliveries.put(broker, broker.getSpec().getDelivery()));
        installed.all(Trigger.class).forEach(trigger -> deliveries.put(trigger, trigger.getSpec().getDelivery()));
        return deliveries;
    }

    private static Optional<Destination> deadLetters(@Nullable DeliverySpec delivery) {
        return Optional.ofNullable(delivery).map(DeliverySpec::getDeadLetterSink);
    }

    private static List<String> deadLetters(Installation installed) {
        List<String> wrong = new ArrayList<>();
        deliveries(installed).forEach((owner, delivery) -> {
            if (owner instanceof Trigger && deadLetters(delivery).filter(sink -> "/dead-letter".equals(sink.getUri()))
                    .map(Destination::getRef)
                    .filter(ref -> ref.getName().equals("dead-letter") || ref.getName().equals("phases")).isEmpty()) {
                wrong.add(name(owner) + ": its dead letters do not go to /dead-letter of Service dead-letter");
            }
            if (delivery == null || delivery.getRetry() == null || delivery.getRetry() < 1
                    || duration(delivery.getBackoffDelay()).isEmpty()
                    || !"exponential".equals(delivery.getBackoffPolicy())) {
                wrong.add(name(owner) + ": deliveries are not tried again with growing pauses");
            }
        });
        return wrong;
    }

    /// A Broker has no address before its dead letter sink has one (knative/eventing 1.15 to 1.22,
    /// `pkg/reconciler/broker/broker.go`; the Kafka broker, too), a Service has none before its
    /// first revision is ready (knative/serving, `pkg/reconciler/route/route.go`), and a function
    /// is not ready before a SinkBinding has given it the Broker's address.
    private static List<String> circles(Installation installed) {
        List<String> wrong = new ArrayList<>();
        installed.all(Broker.class)
                .forEach(broker -> deadLetters(broker.getSpec().getDelivery()).map(Destination::getRef)
                        .filter(ref -> ref.getKind().equals("Service"))
                        .ifPresent(ref -> wrong.add(name(broker) + ": it waits for the address of Service "
                                + ref.getName() + ", which waits for the Broker's")));
        return wrong;
    }

    private static Optional<Duration> duration(String text) {
        try {
            return Optional.ofNullable(text).map(Duration::parse).filter(Duration::isPositive);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// Model call < request < delivery, so that the innermost gives up first and says why. Serving
    /// has two timeouts for a request; that for the beginning of the answer is 300 s unless it is
    /// set, and must not be more than the other (knative/serving, `pkg/apis/config/defaults.go` and
    /// `pkg/apis/serving/v1/revision_validation.go`).
    private static List<String> timeouts(Installation installed) {
        List<String> wrong = new ArrayList<>();
        for (Service service : installed.all(Service.class)) {
            Long seconds = service.getSpec().getTemplate().getSpec().getTimeoutSeconds();
            if (seconds == null || seconds > Manifests.LONGEST_REQUEST_SECONDS) {
                wrong.add(name(service) + ": timeoutSeconds must be at most " + Manifests.LONGEST_REQUEST_SECONDS);
                continue;
            }
            if (!seconds.equals(service.getSpec().getTemplate().getSpec().getResponseStartTimeoutSeconds())) {
                wrong.add(name(service) + ": responseStartTimeoutSeconds must be timeoutSeconds, " + seconds
                        + ": the answer comes at the end");
            }
            if (Installation.labels(service.getMetadata().getLabels()).get("mlestar.io/class").equals("agent")
                    && seconds <= ModelRequest.LONGEST.toSeconds()) {
                wrong.add(name(service) + ": timeoutSeconds must be more than a model call may take, "
                        + ModelRequest.LONGEST.toSeconds());
            }
            for (Trigger trigger : installed.all(Trigger.class)) {
                if (subscriber(trigger).getKind().equals("Service")
                        && subscriber(trigger).getName().equals(service.getMetadata().getName())
                        && duration(trigger.getSpec().getDelivery().getTimeout())
                                .filter(most -> most.toSeconds() > seconds).isEmpty()) {
                    wrong.add(name(trigger) + ": delivery.timeout must be more than the Service's " + seconds + " s");
                }
            }
        }
        return wrong;
    }

    /// A SinkBinding gives the broker's address to everything that publishes.
    private static List<String> bindings(Installation installed) {
        List<String> wrong = new ArrayList<>();
        for (Service service : installed.all(Service.class)) {
            bound(installed, "serving.knative.dev/v1", "Service", service,
                    Installation.labels(service.getMetadata().getLabels()), wrong);
        }
        for (JobSink sink : installed.all(JobSink.class)) {
            var job = sink.getSpec().getJob().getMetadata();
            bound(installed, "batch/v1", "Job", sink, Installation.labels(job == null ? null : job.getLabels()), wrong);
        }
        return wrong;
    }

    private static void bound(Installation installed, String apiVersion, String kind, HasMetadata owner,
            Map<String, String> labels, List<String> wrong) {
        if (installed.all(SinkBinding.class).stream().map(binding -> binding.getSpec().getSubject())
                .noneMatch(subject -> subject.getApiVersion().equals(apiVersion) && subject.getKind().equals(kind)
                        && Installation.selects(subject.getSelector(), labels))) {
            wrong.add(name(owner) + ": no SinkBinding finds it by its labels");
        }
    }
}
