package io.mlestar.show.render;

import io.mlestar.core.base.Controls;
import java.util.Locale;

/// What every drawing needs: numbers and texts as SVG takes them.
public final class Svg {
    private Svg() {}

    /// With at most one decimal.
    public static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /// A text as HTML and SVG show it, its [Controls] too: they could turn the lines of a script about before a person reads them.
    public static String escape(String text) {
        return Controls.shown(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
