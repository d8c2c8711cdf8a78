package io.mlestar.core.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The version of this program, as it stands in every record that it writes. The build puts it into
/// one line of a resource.
///
/// @param version of the release, e.g. `0.1.0`
/// @param commit that it was built from, `-dirty` if files had been changed; empty if the build
///   knew none
public record ProgramVersion(String version, String commit) {
    private static final String RESOURCE = "/mlestar-version";
    public static final ProgramVersion HERE = read();

    private static ProgramVersion read() {
        try (InputStream said = ProgramVersion.class.getResourceAsStream(RESOURCE)) {
            return of(said == null
                    ? "development"
                    : new String(said.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ProgramVersion of(String said) {
        String[] words = said.strip().split("\\s+", 2);
        return new ProgramVersion(words[0], words.length > 1 ? words[1] : "");
    }

    /// The version and the commit as Semantic Versioning writes them: `0.1.0+1a2b3c4d5e6f`.
    @Override
    public String toString() {
        return commit.isEmpty() ? version : version + "+" + commit;
    }
}
