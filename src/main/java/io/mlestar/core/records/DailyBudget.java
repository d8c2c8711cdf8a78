package io.mlestar.core.records;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The money that all runs of a store, and agents asked outside runs, may together spend on models
/// in a day, by UTC. The name of an object says what a call may cost, and that of another one,
/// later, what it did cost. So the sum of an hour is one listing, and a past hour is listed once:
///
/// ```
/// spending/2026-11-22/14/<call>.begun-23000     in millionths of a dollar
/// spending/2026-11-22/14/<call>.ended-17250
/// spending/2026-11-22/kept/<run>.begun-80000          what the run may need for its finalization, until it has ended
/// spending/2026-11-22/kept/<run><call>.begun-20000    what an answer of its finalization may cost, out of that
/// ```
///
/// A call that died counts with its estimate, and a run that has not ended with what is kept for
/// its finalization. Since a call is recorded before the sum is read, processes that ask at the
/// same moment exceed the budget by the error of their estimates at most.
public final class DailyBudget {
    /// The variable that sets it.
    public static final String VARIABLE = "MLE_STAR_BUDGET_PER_DAY";
    private static final String ROOT = "spending/";
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final double MOST_USD = 1_000_000;
    private static final double MICRO = 1e6;
    private static final double WARNING = 0.8;
    private static final int MARK = 20;
    private static final Pattern NAME = Pattern.compile("([0-9a-f]+)\\.(begun|ended)-(\\d{1,15})");
    /// A call that began in an hour has ended so long after it, also if clocks differ.
    private static final Duration OVER = Duration.ofHours(1);

    private final Store store;
    private final double mostUsd;
    private final Map<Instant, Double> hours = new ConcurrentHashMap<>();
    private final Set<LocalDate> warned = ConcurrentHashMap.newKeySet();

    public DailyBudget(Store store, double mostUsd) {
        this.store = store;
        this.mostUsd = mostUsd;
    }

    /// The budget that the environment sets; null is unlimited.
    ///
    /// @param store asked for only if there is a budget
    /// @throws Invalid if it is not an amount
    public static @Nullable DailyBudget from(
            Map<String, String> environment,
            Supplier<Store> store) {
        OptionalDouble usd = of(environment);
        return usd.isPresent() ? new DailyBudget(store.get(), usd.getAsDouble()) : null;
    }

    /// The amount that the environment sets; empty is unlimited.
    ///
    /// @throws Invalid if it is not an amount
    public static OptionalDouble of(Map<String, String> environment) {
        String said = environment.getOrDefault(VARIABLE, "").strip();
        if (said.isEmpty()) {
            return OptionalDouble.empty();
        }
        try {
            double usd = Double.parseDouble(said);
            if (usd > 0 && usd <= MOST_USD) {
                return OptionalDouble.of(usd);
            }
        } catch (NumberFormatException e) {
            // Reported like a number out of bounds.
        }
        throw new Invalid(VARIABLE + " must be an amount of dollars greater than 0 and at most "
                + (long) MOST_USD
                + ", but is \"" + said + "\"");
    }

    /// One call of a model.
    ///
    /// @param key of its objects, without their ends
    public record PaidCall(Store store, String key) {
        /// @param usd what it cost; null if unknown: then its estimate counts
        public void ended(@Nullable Double usd) {
            if (usd != null) {
                store.create(key + ".ended-" + micros(usd), ChecksummedJson.bytes(Json.object()));
            }
        }
    }

    /// Puts a call on record.
    ///
    /// @param attempt at the step, from 1
    /// @param isLast whether it is part of a finalization
    public PaidCall begin(
            StepPath step,
            int attempt,
            boolean isLast,
            Instant now,
            double estimateUsd) {
        String mark = mark(step + "#" + attempt);
        return begin(
                isLast
                        ? kept(step.run(), now) + mark
                        : folder(now.truncatedTo(ChronoUnit.HOURS)) + "/" + mark,
                step, attempt, estimateUsd);
    }

    private PaidCall begin(String key, StepPath step, int attempt, double usd) {
        store.create(key + ".begun-" + micros(usd), ChecksummedJson
                .bytes(Json.object().put("step", step.toString()).put("attempt", attempt)));
        return new PaidCall(store, key);
    }

    /// Releases what was kept for the finalization of a run.
    public void endsRun(String run, Instant now) {
        new PaidCall(store, kept(run, now)).ended(0.0);
    }

    /// The reason why a call that is on record must not be made; empty if it may. Warns when four
    /// fifths of the day's money are spent.
    ///
    /// @param keptUsd what it must leave for the finalization of its run; 0 if it may spend that
    public Optional<String> exceeds(String run, Instant now, double estimateUsd, double keptUsd) {
        Map<String, Long> last = listed(keptFolder(now));
        double keep = Math.min(keptUsd, mostUsd / 2);
        if (keep == 0) {
            last.remove(mark(run));
        } else if (micros(keep) > last.getOrDefault(mark(run), 0L)) {
            begin(kept(run, now), StepPath.root(run), 1, keep);
            last.put(mark(run), micros(keep));
        }
        double others = spent(now, last) - estimateUsd;
        double kept =
                last.entrySet()
                        .stream()
                        .filter(one -> one.getKey().length() == MARK)
                        .mapToLong(one -> Math.max(0, one.getValue() - micros(last,
                                call -> call.length() > MARK && call.startsWith(one.getKey()))))
                        .sum() / MICRO;
        LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        if (others >= WARNING * mostUsd && warned.add(day)) {
            LOG.warn(String.format(Locale.ROOT,
                    "$%.4f are spent on %s (UTC), more than 80%% of the $%.4f a day for all runs of this store",
                    others, day, mostUsd));
        }
        // The sums are of rounded millionths.
        if (others + estimateUsd + kept <= mostUsd + 0.5 / MICRO && others < mostUsd) {
            return Optional.empty();
        }
        return Optional.of(others >= mostUsd
                ? usedUp(others)
                : String.format(Locale.ROOT,
                        "the $%.4f a day for all runs of this store would be passed: "
                                + "$%.4f spent or being spent today (UTC), and this answer may cost $%.4f",
                        mostUsd, others, estimateUsd) + Ledger.alsoKept(kept));
    }

    /// @throws Invalid if the money of the day is spent, or if the variable is not an amount
    public static void check(Map<String, String> environment, Store store, Instant now) {
        of(environment).ifPresent(usd -> {
            DailyBudget budget = new DailyBudget(store, usd);
            double spent = budget.spent(now);
            if (spent >= usd) {
                throw new Invalid(
                        budget.usedUp(spent) + "; begin the run tomorrow, or raise " + VARIABLE);
            }
        });
    }

    private String usedUp(double spent) {
        return String.format(Locale.ROOT,
                "the $%.4f a day for all runs of this store are used up: $%.4f spent today (UTC)",
                mostUsd, spent);
    }

    /// The money spent since midnight, with what the calls in flight may cost.
    double spent(Instant now) {
        return spent(now, listed(keptFolder(now)));
    }

    /// @param last what finalizations cost, beside what is kept for them
    private double spent(Instant now, Map<String, Long> last) {
        double sum = micros(last, call -> call.length() > MARK) / MICRO;
        for (Instant hour = now.truncatedTo(ChronoUnit.DAYS); !hour.isAfter(now); hour =
                hour.plus(1, ChronoUnit.HOURS)) {
            Double known = hours.get(hour);
            double spent =
                    known != null ? known : micros(listed(folder(hour)), call -> true) / MICRO;
            if (!hour.plus(1, ChronoUnit.HOURS).plus(OVER).isAfter(now)) {
                hours.put(hour, spent);
            }
            sum += spent;
        }
        return sum;
    }

    /// The cost of each call of a folder in millionths: what it ended with, or else the most that
    /// it began with.
    private Map<String, Long> listed(String folder) {
        Map<String, Long> begun = new HashMap<>();
        Map<String, Long> ended = new HashMap<>();
        for (String name : store.list(folder)) {
            Matcher call = NAME.matcher(name);
            if (call.matches()) {
                (call.group(2).equals("begun") ? begun : ended).merge(call.group(1),
                        Long.parseLong(call.group(3)), Math::max);
            }
        }
        begun.putAll(ended);
        return begun;
    }

    private static long micros(Map<String, Long> calls, Predicate<String> which) {
        return calls.entrySet()
                .stream()
                .filter(call -> which.test(call.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /// Key of what is kept for the finalization of a run; with a call's mark after it, of what a
    /// call of the finalization costs.
    private String kept(String run, Instant now) {
        return keptFolder(now) + "/" + mark(run);
    }

    private String keptFolder(Instant now) {
        return ROOT + LocalDate.ofInstant(now, ZoneOffset.UTC) + "/kept";
    }

    private static String mark(String of) {
        return Sha256.digits(of, MARK);
    }

    private String folder(Instant hour) {
        return String.format(Locale.ROOT, "%s%s/%02d", ROOT,
                LocalDate.ofInstant(hour, ZoneOffset.UTC), hour.atOffset(ZoneOffset.UTC).getHour());
    }

    private static long micros(double usd) {
        return Math.round(Math.max(0, usd) * MICRO);
    }
}
