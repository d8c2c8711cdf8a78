package io.mlestar.core.base;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// Numbers as agents read them.
public final class Digits {
    private static final int WITHOUT_ERROR = 6;

    private Digits() {}

    /// The first significant digits, without zeros behind them and without an exponent.
    public static String of(double value, int most) {
        return new BigDecimal(value).round(new MathContext(most))
                .stripTrailingZeros()
                .toPlainString();
    }

    /// E.g. `0.7560 ± 0.0031`: the error with two digits, the number with as many places.
    public static String withError(double number, double by) {
        if (!(by > 0)) {
            return of(number, WITHOUT_ERROR);
        }
        BigDecimal error = new BigDecimal(by).round(new MathContext(2));
        int places = Math.max(0, error.scale());
        return new BigDecimal(number).setScale(places, RoundingMode.HALF_EVEN).toPlainString()
                + " ± "
                + error.setScale(places, RoundingMode.HALF_EVEN).toPlainString();
    }
}
