package io.mlestar.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The programs of ours that look at the world for the agents, before any of them is asked.
public final class SurveyScripts {
    /// Prints what [MachineReading] reads.
    public static final String MACHINE = text("machine.py");

    private static final String DATA_CARD = Stream.of("card-words.py", "card-columns.py", "card-tables.py", "card-records.py", "card-files.py", "card.py")
            .map(SurveyScripts::text).collect(Collectors.joining("\n\n"));

    private SurveyScripts() {}

    /// Prints what [DataReading] reads.
    ///
    /// @param seconds that it may take in all. It tells what it has found when seven tenths of them are over: a busy machine needs the rest
    public static String dataCard(int seconds) {
        return "SECONDS = " + seconds * 7 / 10.0 + "\n" + DATA_CARD;
    }

    private static String text(String name) {
        try (InputStream in = SurveyScripts.class.getResourceAsStream("/survey/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
