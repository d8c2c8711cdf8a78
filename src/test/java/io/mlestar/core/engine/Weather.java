package io.mlestar.core.engine;

import io.mlestar.adapter.model.ModelRequest;
import module java.base;

/// The world that a simulated run has to live in, made up from a seed: how slow its models and
/// scripts are, what breaks and when.
///
/// @param cluster pods and Jobs over Knative's broker; else one process with its own
/// @param limitSeconds of the run
/// @param modelSeconds typical time of an answer; single ones take a quarter to four times that
/// @param scriptSeconds typical time of a script, likewise
/// @param slots scripts that can run at once
/// @param endless of a hundred scripts, how many never end
/// @param hungry of a hundred scripts, how many are killed for memory
/// @param killEvery mean time between two kills of a process; zero is never
/// @param lost of a thousand events, how many get lost, and of a hundred, how many come twice or
///   late
/// @param models when they are out of reach
/// @param budgetUsd most money; null is unlimited
/// @param harsh whether, in a cluster, Jobs wait for minutes before they start, the bucket fails
///   now and then, and functions are of two versions
record Weather(boolean cluster, int limitSeconds, double modelSeconds, double scriptSeconds, int slots, int endless,
        int hungry, Duration killEvery, int lost, Outage models, Double budgetUsd, boolean harsh) {
    static Weather of(long seed) {
        Random random = new Random(seed * 7_919 + 17);
        int limit = (int) between(random, 60, 30_000);
        boolean quick = random.nextInt(3) == 0;
        boolean outage = random.nextInt(4) == 0;
        Instant from = World.NOW.plusSeconds(random.nextInt(limit));
        return new Weather(random.nextBoolean(), limit, quick ? between(random, 0.01, 1) : between(random, 1, 600),
                quick ? between(random, 0.1, 3) : between(random, 1, 10_000), 1 + random.nextInt(8),
                random.nextInt(4) == 0 ? random.nextInt(20) : 0, random.nextInt(4) == 0 ? random.nextInt(20) : 0,
                random.nextInt(4) == 0 ? Duration.ofSeconds((long) (limit * between(random, 0.02, 0.5)))
                        : Duration.ZERO,
                random.nextInt(4) == 0 ? random.nextInt(10) : 0,
                outage ? new Outage(from, from.plusSeconds((long) between(random, 1, limit))) : Outage.NEVER,
                random.nextInt(4) == 0 ? between(random, 0.05, 3) : null, random.nextInt(3) == 0);
    }

    /// True if everything is quick enough, and nothing breaks, for a run to end as it should: forty
    /// answers one after the other fit into the time that is kept for finalization, and as many
    /// scripts.
    boolean isFair() {
        return isCalm() && (modelSeconds + scriptSeconds) * 2 * 40 < reserve();
    }

    /// True if some script can score: four of the slowest answers, and twice the slowest scripts of
    /// three candidates one after the other, fit into the time before finalization.
    boolean isFeasible() {
        return isCalm() && modelSeconds * 16 + scriptSeconds * 24 < limitSeconds - reserve()
                && modelSeconds * 4 < ModelRequest.LONGEST.toSeconds();
    }

    private boolean isCalm() {
        return endless == 0 && hungry == 0 && killEvery.isZero() && lost == 0 && models.equals(Outage.NEVER)
                && budgetUsd == null && !harsh;
    }

    private double reserve() {
        return Math.max(limitSeconds / 10.0, Math.min(300, limitSeconds / 2.0));
    }

    /// Somewhere between the two, as likely near the one as near the other by their ratio.
    static double between(Random random, double least, double most) {
        return least * Math.pow(most / least, random.nextDouble());
    }
}
