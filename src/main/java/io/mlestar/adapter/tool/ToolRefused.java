package io.mlestar.adapter.tool;

/// A tool did not do what the model asked for: it may not, or it failed. The message tells the
/// model why.
public final class ToolRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ToolRefused(String message) {
        super(message);
    }
}
