package io.mlestar.render;

import java.util.Locale;

/// What every drawing needs: numbers and texts as SVG takes them.
public final class Svg {
    private Svg() {}

    /// With at most one decimal.
    public static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    public static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
