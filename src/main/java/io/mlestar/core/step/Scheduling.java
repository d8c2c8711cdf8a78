package io.mlestar.core.step;

import java.util.Optional;

/// The share of time and machines that a phase gets beside the others of its run.
///
/// @param timeShare of the run's remaining time, which the phase gets when it is requested. When
///   the share is used up, nothing in the phase starts any more, and what runs is ended
///   (REQ-OR-025, REQ-OR-026)
/// @param later what the phases after this one do one after the other, if nothing crashes. As long
///   as twice the time for that is left, the phase may take its share of the remaining time again;
///   empty if it may not
/// @param sideBySide how many phases like this one run at once, itself included: their scripts
///   share the machine
public record Scheduling(double timeShare, Optional<Load> later, int sideBySide) {
    /// All the time of its parent, alone.
    public static final Scheduling ALONE = beside(1);

    /// @param answers of agents
    /// @param scripts that train
    public record Load(int answers, int scripts) {
        public Load plus(Load other) {
            return new Load(answers + other.answers, scripts + other.scripts);
        }
    }

    public static Scheduling share(double timeShare, Load later) {
        return new Scheduling(timeShare, Optional.of(later), 1);
    }

    /// A share that the phase may not take again.
    public static Scheduling once(double timeShare) {
        return new Scheduling(timeShare, Optional.empty(), 1);
    }

    public static Scheduling beside(int sideBySide) {
        return new Scheduling(1, Optional.empty(), sideBySide);
    }
}
