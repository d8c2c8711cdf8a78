package io.mlestar.tool;

/// A shell text that cannot be taken apart with certainty.
final class UnreadableCommand extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableCommand(String message) {
        super(message);
    }
}
