package io.mlestar.adapter.script;

import java.time.Duration;

/// How a program in a sandbox is looked after (REQ-EX-009).
///
/// @param pulse how often somebody asks whether it is to go on
/// @param grace what it has to leave of its own accord when it is asked to
public record PollInterval(Duration pulse, Duration grace) {
    public static final PollInterval USUAL = new PollInterval(Duration.ofSeconds(2), Duration.ofSeconds(5));
}
