package io.mlestar.show.render;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/// The marks of an axis: multiples of 1, 2 or 5 times a power of ten.
///
/// @param step distance of the marks; greater than 0
/// @param values from the lowest to the highest, both inside the range
record Ticks(double step, List<Double> values) {
    /// @param most how many marks there may be; at least 2
    static Ticks of(double low, double high, int most) {
        double raw = (high - low) / most;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double step = DoubleStream.of(1, 2, 5)
                .map(times -> times * power)
                .filter(each -> raw <= each)
                .findFirst()
                .orElse(10 * power);
        return new Ticks(step,
                LongStream
                        .rangeClosed((long) Math.ceil(low / step - 1e-9),
                                (long) Math.floor(high / step + 1e-9))
                        .mapToObj(i -> i * step)
                        .toList());
    }

    /// A mark's value with as many decimals as tell it from the next.
    String label(double value) {
        if (Math.abs(value) >= 1e7 || step < 1e-7) {
            return String.format(Locale.ROOT, "%.3g", value);
        }
        int decimals = Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    }
}
