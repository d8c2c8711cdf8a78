package io.mlestar.app.cli;

import io.mlestar.app.console.Terminal;
import io.mlestar.app.draft.TaskDraft;
import io.mlestar.core.base.Invalid;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks whoever sits at the terminal, one question after the other.
record TerminalQuestions(BufferedReader in) implements TaskDraft.Questions {
    /// The process's own; empty if it has none.
    static Optional<TaskDraft.Questions> ofProcess() {
        return Terminal.input().map(TerminalQuestions::new);
    }

    @Override
    public String ask(String question, @Nullable String usual) {
        while (true) {
            System.err.print(question + (usual == null ? " " : " [" + usual + "] "));
            System.err.flush();
            String said;
            try {
                said = in.readLine();
            } catch (IOException e) {
                throw new Invalid("the terminal cannot be read: " + e.getMessage());
            }
            if (said == null) {
                System.err.println();
                throw new Invalid("nobody answers; --yes takes what was guessed");
            }
            if (!said.isBlank()) {
                return said.strip();
            }
            if (usual != null) {
                return usual;
            }
        }
    }
}
