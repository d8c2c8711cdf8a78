package io.mlestar.core.step;

/// A text and what a phase made of it.
public record Revision(String before, String after) {}
