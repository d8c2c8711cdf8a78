package io.mlestar.app.web;

import io.mlestar.show.view.StepRow;

/// What a script has printed so far.
///
/// @param text the last lines, controls shown; empty if it has printed nothing, or runs elsewhere
/// @param isHere whether it runs in this process
public record ScriptOutput(StepRow row, String text, boolean isHere) {}
