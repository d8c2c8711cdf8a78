package io.mlestar.cli;

import java.util.Objects;

/// The program's version, as runs record it.
final class Version {
    static final String TEXT = Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "development");

    private Version() {}
}
