package io.mlestar.show.render;

import io.mlestar.core.base.Controls;
import java.util.Locale;

/// An SVG drawing, element by element. Texts are escaped. Attributes are given as names and values
/// in turn.
public final class Svg {
    private final StringBuilder drawing = new StringBuilder();

    /// Writes a number with at most one decimal.
    public static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /// A text as HTML and SVG show it. Its [Controls] are shown too: they could reorder the lines
    /// of a script before a person reads them.
    public static String escape(String text) {
        return Controls.shown(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /// Begins an element.
    public Svg open(String name, Object... attributes) {
        drawing.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            String value = attributes[i + 1] instanceof Number number
                    ? number(number.doubleValue())
                    : escape(attributes[i + 1].toString());
            drawing.append(' ').append(attributes[i]).append("=\"").append(value).append('"');
        }
        drawing.append('>');
        return this;
    }

    public Svg close(String name) {
        drawing.append("</").append(name).append('>');
        return this;
    }

    /// An element that holds nothing.
    public Svg empty(String name, Object... attributes) {
        open(name, attributes).drawing.insert(drawing.length() - 1, '/');
        return this;
    }

    /// An element that holds a text.
    public Svg text(String name, String text, Object... attributes) {
        open(name, attributes).drawing.append(escape(text));
        return close(name);
    }

    /// A path, if it has any line.
    public Svg path(String type, CharSequence line) {
        return line.isEmpty() ? this : empty("path", "class", type, "d", line);
    }

    @Override
    public String toString() {
        return drawing.toString();
    }
}
