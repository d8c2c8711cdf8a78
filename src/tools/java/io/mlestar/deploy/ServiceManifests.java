package io.mlestar.deploy;

import io.mlestar.core.event.Functions.Spec;
import java.util.Locale;

/// The Knative Services: one per function, those of the profile `small` for many, and that of the pages.
final class ServiceManifests {
    /// The same for every container. On the container, not the pod: Knative Serving takes the pod's only with a feature flag.
    static final String SECURITY = """
            securityContext:
              runAsNonRoot: true
              readOnlyRootFilesystem: true
              allowPrivilegeEscalation: false
              capabilities:
                drop: [ALL]
              seccompProfile:
                type: RuntimeDefault""";

    /// What differs between the kinds of function.
    ///
    /// @param concurrency requests that one pod works on at once
    /// @param pods most at once
    /// @param window seconds without a request after which a pod goes away
    /// @param young MB of objects that the native program makes before it looks which of them are still needed; untold, the process grows by half for
    ///        what calls leave (docs/operating/native.md)
    /// @param memory MiB that a pod asks for: what it has after a thousand calls, and some room
    private record Size(int concurrency, int pods, int window, int young, int memory) {
        /// Waits for a model nearly all the time.
        static final Size AGENT = new Size(8, 20, 60, 8, 80);
        /// Reads what its steps have left again and again.
        static final Size PHASE = new Size(8, 10, 60, 24, 96);

        static Size of(Spec function) {
            return switch (function.kind()) {
                case AGENT -> AGENT;
                case PHASE -> PHASE;
                // One sweep at a time is enough, and it looks at all runs. It comes each minute, so its pod has to go soon.
                case RUN -> function.export().equals("sweep") ? new Size(1, 1, 10, 24, 96) : new Size(8, 10, 60, 8, 80);
                case SCRIPT -> throw new IllegalArgumentException("a script is a Job, not a Service");
            };
        }
    }

    private ServiceManifests() {}

    static String status() {
        return service("status", "status", Manifests.LONGEST_REQUEST_SECONDS, new Size(100, 2, 60, 24, 96), "MLE_STAR_ROLE", "status");
    }

    /// All agents. Its pods are those of one agent: they wait for models, and each takes as many calls at once.
    static String agents() {
        return service("agents", "agent", Manifests.LONGEST_REQUEST_SECONDS, Size.AGENT, "MLE_STAR_ROLE", "agents");
    }

    /// The phases and the functions around a run. The sweep's timer keeps one pod of it alive.
    static String phases() {
        return service("phases", "phase", SmallManifests.LONGEST_PHASE.toSeconds(), Size.PHASE, "MLE_STAR_ROLE", "phases");
    }

    static String of(Spec function) {
        return service(function.kubernetesName(), function.kind().name().toLowerCase(Locale.ROOT), function.longestRequest().toSeconds(), Size.of(function),
                "QUARKUS_FUNQY_EXPORT", function.export());
    }

    /// The answer comes in one piece, when the work is done: both of Serving's timeouts are the same. Unless told so, Serving lets a
    /// request wait 300 s for the beginning of its answer (`DefaultRevisionResponseStartTimeoutSeconds` in knative/serving,
    /// `pkg/apis/config/defaults.go`), and a model may take longer.
    ///
    /// @param seconds most for one request
    /// @param variable tells the one program what it is in this pod
    private static String service(String name, String kind, long seconds, Size size, String variable, String value) {
        boolean agent = kind.equals("agent");
        return """
                apiVersion: serving.knative.dev/v1
                kind: Service
                metadata:
                  name: %1$s
                  labels:
                    app.kubernetes.io/component: %1$s
                    mlestar.io/class: %2$s
                    mlestar.io/function: %1$s
                    networking.knative.dev/visibility: cluster-local
                spec:
                  template:
                    metadata:
                      labels:
                        mlestar.io/class: %2$s
                        mlestar.io/function: %1$s
                      annotations:
                        autoscaling.knative.dev/min-scale: "0"
                        autoscaling.knative.dev/max-scale: "%3$d"
                        autoscaling.knative.dev/window: %10$ds
                    spec:
                      serviceAccountName: %4$s
                      enableServiceLinks: false
                      containerConcurrency: %5$d
                      timeoutSeconds: %6$d
                      responseStartTimeoutSeconds: %6$d
                      containers:
                      - name: function
                        image: %14$s/mlestar-%1$s
                        imagePullPolicy: IfNotPresent
                        args: [-Xmn%12$dm]
                        ports:
                        - containerPort: 8080
                        env:
                        - name: %7$s
                          value: %8$s
                        - name: MLE_STAR_PROMPTS
                          value: /etc/mlestar/prompts
                        envFrom:
                        - configMapRef:
                            name: mlestar
                        - secretRef:
                            name: store-credentials
                            optional: true
                %9$s\
                        readinessProbe:
                          httpGet:
                            path: /q/health/ready
                        # Patient: a process that gets no processor for a while is not dead.
                        livenessProbe:
                          httpGet:
                            path: /q/health/live
                          periodSeconds: 30
                          timeoutSeconds: 15
                          failureThreshold: 4
                        resources:
                          requests:
                            cpu: 50m
                            memory: %13$dMi
                            ephemeral-storage: 64Mi
                          limits:
                            cpu: "1"
                            memory: 512Mi
                            ephemeral-storage: 2560Mi
                %11$s
                        volumeMounts:
                        - name: tmp
                          mountPath: /tmp
                        - name: prompts
                          mountPath: /etc/mlestar/prompts
                          readOnly: true
                      volumes:
                      - name: tmp
                        emptyDir:
                          sizeLimit: 2Gi
                      - name: prompts
                        configMap:
                          name: prompts
                """.formatted(name, kind, size.pods(), agent ? "agent" : "function", size.concurrency(), seconds, variable, value,
                (agent ? secret("model-keys") : "") + (agent || kind.equals("status") ? secret("mlestar-token") : ""), size.window(),
                SECURITY.indent(8).stripTrailing(), size.young(), size.memory(), Manifests.REGISTRY);
    }

    /// Variables of a Secret that the operator may make.
    private static String secret(String name) {
        return """
                        - secretRef:
                            name: %s
                            optional: true
                """.formatted(name);
    }
}
