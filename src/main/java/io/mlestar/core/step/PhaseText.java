package io.mlestar.core.step;

/// A text of what a phase gave, for people.
public enum PhaseText {
    /// Why it gave less than it should have.
    FAILURE("What went wrong"),
    PLAN("Plan"),
    STUDY("Ablation summary"),
    BLOCK("Code block"),
    SCRIPT("Script");

    private final String heading;

    PhaseText(String heading) {
        this.heading = heading;
    }

    public String heading() {
        return heading;
    }

    public boolean isCode() {
        return this == BLOCK || this == SCRIPT;
    }
}
