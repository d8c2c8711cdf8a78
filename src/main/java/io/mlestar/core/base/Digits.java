package io.mlestar.core.base;

import java.math.BigDecimal;
import java.math.MathContext;

/// Numbers as agents read them.
public final class Digits {
    private Digits() {}

    /// The first significant digits, without zeros behind them and without an exponent.
    public static String of(double value, int most) {
        return new BigDecimal(value).round(new MathContext(most)).stripTrailingZeros().toPlainString();
    }
}
