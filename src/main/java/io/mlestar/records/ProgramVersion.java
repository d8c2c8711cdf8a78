package io.mlestar.records;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// Which program this is, as its build wrote it down: the one place that says so.
///
/// @param version of the project, e.g. `0.1.0`
/// @param commit as `git describe` says it, with `-dirty` if the sources were changed; `unknown` if it was built without git
public record ProgramVersion(String version, String commit) {
    private static final String RESOURCE = "/version.properties";
    private static final ProgramVersion BUILT = read();

    /// The program that runs.
    public static ProgramVersion current() {
        return BUILT;
    }

    private static ProgramVersion read() {
        try (InputStream in = ProgramVersion.class.getResourceAsStream(RESOURCE)) {
            Properties built = new Properties();
            built.load(Objects.requireNonNull(in, RESOURCE));
            return new ProgramVersion(Objects.requireNonNull(built.getProperty("version")), Objects.requireNonNull(built.getProperty("commit")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// As runs record it, and people read it.
    @Override
    public String toString() {
        return version + " (" + commit + ")";
    }
}
