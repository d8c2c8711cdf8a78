package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Json;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Asks at the terminal (`permission_mode: ask`), one question after the other. Without a terminal
/// it refuses.
///
/// @param terminal empty if there is none
/// @param caller path of the step, or the name of an agent alone
/// @param left time that the agent call still has
record TerminalApprover(Optional<Dialogue> terminal, String caller, Supplier<Duration> left) implements Permission {
    /// A line out, a line in.
    ///
    /// @param in is read only when a line is there, so that no call waits beyond its time
    record Dialogue(BufferedReader in, PrintStream out) {}

    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();
    private static final int LONGEST_QUESTION = 2_000;
    private static final long LOOK_AGAIN_MILLIS = 100;

    /// The process's own; empty if it has none.
    static Optional<Dialogue> ofProcess() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal)
                .map(console -> new Dialogue(new BufferedReader(new InputStreamReader(System.in, console.charset())),
                        System.err));
    }

    @Override
    public Optional<String> refusal(String tool, JsonNode arguments) {
        return terminal.map(dialogue -> asked(dialogue, tool, arguments))
                .orElseGet(() -> Optional
                        .of(tool + " needs approval (permission_mode ask), and there is no terminal to ask at"));
    }

    private Optional<String> asked(Dialogue dialogue, String tool, JsonNode arguments) {
        ONE_AT_A_TIME.lock();
        try {
            String question = Controls.shown(caller + " wants to use " + tool + " " + Json.line(arguments));
            dialogue.out().println(Excerpt.clip(question, LONGEST_QUESTION) + "\nAllow it? [y/N]");
            return answer(dialogue)
                    .map(said -> said.strip().equalsIgnoreCase("y") || said.strip().equalsIgnoreCase("yes")
                            ? Optional.<String>empty() : Optional.of(tool + " was not approved"))
                    .orElseGet(() -> Optional.of(tool + " was not approved in time"));
        } catch (IOException e) {
            return Optional.of(tool + " was not approved: the terminal cannot be read");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(tool + " was not approved: interrupted");
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    private Optional<String> answer(Dialogue dialogue) throws IOException, InterruptedException {
        while (left.get().isPositive()) {
            if (dialogue.in().ready()) {
                return Optional.ofNullable(dialogue.in().readLine());
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
        return Optional.empty();
    }
}
