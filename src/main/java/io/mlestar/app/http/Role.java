package io.mlestar.app.http;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Functions.FunctionKind;
import io.mlestar.core.event.Functions.Spec;
import io.mlestar.core.event.Functions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The functions that one process serves. The program holds all functions; in the cluster each
/// process serves one, or those of a role, and hides the others, so that a process without keys
/// cannot be made to run a function that needs them.
public sealed interface Role {
    /// The path to which the broker posts events that it gave up to deliver.
    String DEAD_LETTERS = "/" + Functions.deadLetter().export();

    /// True if a request may pass; health and metrics always may.
    ///
    /// @param event type of the event that the request carries; empty if it carries none
    boolean serves(String method, String path, Optional<String> event);

    /// One machine: all functions and pages.
    record Everything() implements Role {
        @Override
        public boolean serves(String method, String path, Optional<String> event) {
            return true;
        }
    }

    /// Some functions, each by its name or by its events.
    ///
    /// @param name what the operator calls them: the one function, or the role
    record Only(String name, List<Spec> functions) implements Role {
        @Override
        public boolean serves(String method, String path, Optional<String> event) {
            return method.equals("POST")
                    && (path.equals(DEAD_LETTERS) && functions.contains(Functions.deadLetter())
                            // Funqy chooses by the event's type, whatever the path.
                            || functions.stream()
                                    .anyMatch(function -> (path.equals("/")
                                            || path.equals("/" + function.export()))
                                            && event.map(function.type()::equals).orElse(true)));
        }

        /// True if all its functions are agents: they ask models, and need their keys.
        public boolean asksModels() {
            return functions.stream().allMatch(function -> function.kind() == FunctionKind.AGENT);
        }

        private static Only of(String role, Set<FunctionKind> kinds) {
            return new Only(role,
                    Functions.ALL.stream()
                            .filter(function -> kinds.contains(function.kind()))
                            .toList());
        }
    }

    /// The pages, with their forms, and no function.
    record Pages() implements Role {
        private static final Set<String> READS = Set.of("GET", "HEAD");
        private static final Pattern STEERED = Pattern.compile("/runs/[^/]+/(cancel|notes|extend)");

        @Override
        public boolean serves(String method, String path, Optional<String> event) {
            // Funqy would run a function for a GET too.
            return event.isEmpty()
                    && (READS.contains(method) && Functions.exported(path.substring(1)).isEmpty()
                            || method.equals("POST") && STEERED.matcher(path).matches());
        }
    }

    /// @param export value of `QUARKUS_FUNQY_EXPORT`
    /// @param role value of `MLE_STAR_ROLE`
    /// @throws Invalid if they name nothing, or two things
    static Role of(Optional<String> export, Optional<String> role) {
        if (role.isPresent() && export.isPresent()) {
            throw new Invalid(
                    "set QUARKUS_FUNQY_EXPORT for one function or MLE_STAR_ROLE, not both");
        }
        return role.isPresent()
                ? of(role.get())
                : export.<Role>map(name -> new Only(name, List.of(Functions.exported(name)
                        .orElseThrow(() -> new Invalid(
                                "QUARKUS_FUNQY_EXPORT names no function: \"" + name + "\"")))))
                        .orElseGet(Everything::new);
    }

    private static Role of(String role) {
        return switch (role) {
            case "status" -> new Pages();
            case "agents" -> Only.of(role, Set.of(FunctionKind.AGENT));
            case "phases" -> Only.of(role, Set.of(FunctionKind.PHASE, FunctionKind.RUN));
            case String other -> throw new Invalid(
                    "MLE_STAR_ROLE must be \"status\", \"agents\", \"phases\" or not set; it is \""
                            + other + "\"");
        };
    }
}
