package io.mlestar.cli;

import io.mlestar.task.Invalid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// This program in another process, so that one run's end is no other's.
record OwnProgram(List<String> command) {
    /// As this process was started.
    ///
    /// @throws Invalid if the system does not tell
    static OwnProgram ofProcess() {
        ProcessHandle.Info me = ProcessHandle.current().info();
        String executable = me.command().orElseThrow(() -> new Invalid("this system does not tell how the program was started"));
        List<String> command = new ArrayList<>(List.of(executable));
        List<String> given = List.of(me.arguments().orElse(new String[0]));
        // Of a JVM, what stands before the program's own arguments; a native program has nothing before them.
        int jar = given.indexOf("-jar");
        command.addAll(jar < 0 ? List.of() : given.subList(0, jar + 2));
        return new OwnProgram(command);
    }

    /// Runs it to its end; what it says of its progress goes where this process says it. It ends with this process.
    ///
    /// @return its exit code
    int run(List<String> arguments) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(arguments);
        try {
            Process process = new ProcessBuilder(whole).redirectError(ProcessBuilder.Redirect.INHERIT).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            Thread end = Thread.ofPlatform().unstarted(process::destroy);
            Runtime.getRuntime().addShutdownHook(end);
            int code = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(end);
            return code;
        } catch (IOException e) {
            throw new Invalid("the program cannot be started again: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another process ran", e);
        }
    }
}
