package io.mlestar.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The programs of ours that look at the world for the agents, before any of them is asked.
public final class SurveyScripts {
    /// Prints what [MachineReading] reads.
    public static final String MACHINE = text("machine.py");

    private SurveyScripts() {}

    private static String text(String name) {
        try (InputStream in = SurveyScripts.class.getResourceAsStream("/survey/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
