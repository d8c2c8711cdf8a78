package io.mlestar.app.http;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Functions.Spec;
import io.mlestar.core.event.Functions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What one process serves. The program holds all functions; in the cluster each process serves one and hides the others, so that a process without
/// keys cannot be made to run a function that needs them.
public sealed interface Role {
    /// Where the broker posts what it gave up to deliver.
    String DEAD_LETTERS = "/" + Functions.deadLetter().export();

    /// Whether a request may pass; health and metrics always may.
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

    /// One function, by its name or by its events.
    record One(Spec function) implements Role {
        @Override
        public boolean serves(String method, String path, Optional<String> event) {
            if (!method.equals("POST")) {
                return false;
            }
            if (function.equals(Functions.deadLetter()) && path.equals(DEAD_LETTERS)) {
                return true;
            }
            // Funqy chooses by the event's type, whatever the path.
            return (path.equals("/") || path.equals("/" + function.export())) && event.map(function.type()::equals).orElse(true);
        }
    }

    /// The pages, with their forms, and no function.
    record Pages() implements Role {
        private static final Set<String> READS = Set.of("GET", "HEAD");
        private static final Pattern STEERED = Pattern.compile("/runs/[^/]+/(cancel|notes|extend|pause|resume)");

        @Override
        public boolean serves(String method, String path, Optional<String> event) {
            // Funqy would run a function for a GET too.
            return event.isEmpty() && (READS.contains(method) && Functions.exported(path.substring(1)).isEmpty()
                    || method.equals("POST") && STEERED.matcher(path).matches());
        }
    }

    /// @param export value of `QUARKUS_FUNQY_EXPORT`
    /// @param role value of `MLE_STAR_ROLE`
    /// @throws Invalid if they name nothing, or two things
    static Role of(Optional<String> export, Optional<String> role) {
        if (role.isPresent() && export.isPresent()) {
            throw new Invalid("set QUARKUS_FUNQY_EXPORT for one function or MLE_STAR_ROLE, not both");
        }
        if (role.isPresent()) {
            if (!role.get().equals("status")) {
                throw new Invalid("MLE_STAR_ROLE must be \"status\" or not set; it is \"" + role.get() + "\"");
            }
            return new Pages();
        }
        return export.<Role>map(name -> new One(Functions.exported(name)
                .orElseThrow(() -> new Invalid("QUARKUS_FUNQY_EXPORT names no function: \"" + name + "\"")))).orElseGet(Everything::new);
    }
}
