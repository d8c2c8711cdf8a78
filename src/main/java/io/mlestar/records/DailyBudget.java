package io.mlestar.records;

import io.mlestar.step.StepPath;
import io.mlestar.store.Sealed;
import io.mlestar.store.Store;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.Sha256;
import java.nio.charset.StandardCharsets;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The money that all runs of a store together may spend on models in a day, by UTC. Each call of each process is an object whose name says what it
/// may cost, and after it another one says what it did cost, so that the sum of an hour is one listing and an hour that is over is listed
/// once:
///
/// ```
/// spending/2026-11-22/14/<call>.begun-23000     in millionths of a dollar
/// spending/2026-11-22/14/<call>.ended-17250
/// ```
///
/// A call that died counts with what it may have cost. Since a call is on record before the sum is looked at, processes that ask at the same moment
/// pass the budget by their estimates' error at most.
public final class DailyBudget {
    /// The variable that sets it.
    public static final String VARIABLE = "MLE_STAR_BUDGET_PER_DAY";
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final double MOST_USD = 1_000_000;
    private static final double MICRO = 1e6;
    private static final double WARNING = 0.8;
    private static final int MARK = 20;
    private static final Pattern NAME = Pattern.compile("([0-9a-f]+)\\.(begun|ended)-(\\d{1,15})");
    /// No call that began in an hour lasts so long after it, whatever the clocks say.
    private static final Duration OVER = Duration.ofHours(1);

    private final Store store;
    private final double mostUsd;
    private final Map<Instant, Double> hours = new ConcurrentHashMap<>();
    private final Set<LocalDate> warned = ConcurrentHashMap.newKeySet();

    public DailyBudget(Store store, double mostUsd) {
        this.store = store;
        this.mostUsd = mostUsd;
    }

    /// What the environment says; empty is unlimited.
    ///
    /// @throws Invalid if it says something else than an amount
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
            // As wrong as a number out of bounds.
        }
        throw new Invalid(VARIABLE + " must be an amount of dollars greater than 0 and at most " + (long) MOST_USD + ", but is \"" + said + "\"");
    }

    /// One call of a model.
    ///
    /// @param key of its objects, without what they say
    public record PaidCall(Store store, String key) {
        /// @param usd what it cost; null if nobody can say, and then it counts with what it may have cost
        public void ended(@Nullable Double usd) {
            if (usd != null) {
                store.create(key + ".ended-" + micros(usd), Sealed.bytes(Json.object()));
            }
        }
    }

    /// Puts a call on record.
    ///
    /// @param attempt at the step, from 1
    public PaidCall begin(StepPath step, int attempt, Instant now, double estimateUsd) {
        String mark = Sha256.hex((step + "#" + attempt).getBytes(StandardCharsets.UTF_8)).substring(0, MARK);
        PaidCall call = new PaidCall(store, folder(now.truncatedTo(ChronoUnit.HOURS)) + "/" + mark);
        store.create(call.key + ".begun-" + micros(estimateUsd), Sealed.bytes(Json.object().put("step", step.toString()).put("attempt", attempt)));
        return call;
    }

    /// Why a call that is on record must not be made; empty if it may. Says so when four fifths of the day's money are spent.
    public Optional<String> tooDear(Instant now, double estimateUsd) {
        double others = spent(now) - estimateUsd;
        LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        if (others >= WARNING * mostUsd && warned.add(day)) {
            LOG.warn(String.format(Locale.ROOT, "$%.4f are spent on %s (UTC), more than 80%% of the $%.4f a day for all runs of this store", others, day,
                    mostUsd));
        }
        // Sums of millionths: the last of them is nobody's overdraft.
        if (others + estimateUsd <= mostUsd + 0.5 / MICRO && others < mostUsd) {
            return Optional.empty();
        }
        return Optional.of(others >= mostUsd ? usedUp(others) : String.format(Locale.ROOT, "the $%.4f a day for all runs of this store would be passed: "
                + "$%.4f spent or being spent today (UTC), and this answer may cost $%.4f", mostUsd, others, estimateUsd));
    }

    /// @throws Invalid if a run that begins now could ask for nothing, or the environment says what cannot be
    public static void check(Map<String, String> environment, Store store, Instant now) {
        of(environment).ifPresent(usd -> {
            DailyBudget budget = new DailyBudget(store, usd);
            double spent = budget.spent(now);
            if (spent >= usd) {
                throw new Invalid(budget.usedUp(spent) + "; begin the run tomorrow, or raise " + VARIABLE);
            }
        });
    }

    private String usedUp(double spent) {
        return String.format(Locale.ROOT, "the $%.4f a day for all runs of this store are used up: $%.4f spent today (UTC)", mostUsd, spent);
    }

    /// What was spent since midnight, and may be spent by the calls that are under way.
    double spent(Instant now) {
        double sum = 0;
        for (Instant hour = now.truncatedTo(ChronoUnit.DAYS); !hour.isAfter(now); hour = hour.plus(1, ChronoUnit.HOURS)) {
            Double known = hours.get(hour);
            double spent = known != null ? known : listed(hour);
            if (!hour.plus(1, ChronoUnit.HOURS).plus(OVER).isAfter(now)) {
                hours.put(hour, spent);
            }
            sum += spent;
        }
        return sum;
    }

    private double listed(Instant hour) {
        Map<String, Long> calls = new HashMap<>();
        for (String name : store.list(folder(hour))) {
            Matcher call = NAME.matcher(name);
            if (call.matches() && (call.group(2).equals("ended") || !calls.containsKey(call.group(1)))) {
                calls.put(call.group(1), Long.parseLong(call.group(3)));
            }
        }
        return calls.values().stream().mapToLong(micros -> micros).sum() / MICRO;
    }

    private static String folder(Instant hour) {
        return String.format(Locale.ROOT, "spending/%s/%02d", LocalDate.ofInstant(hour, ZoneOffset.UTC), hour.atOffset(ZoneOffset.UTC).getHour());
    }

    private static long micros(double usd) {
        return Math.round(Math.max(0, usd) * MICRO);
    }
}
