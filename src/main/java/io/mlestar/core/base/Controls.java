package io.mlestar.core.base;

/// Texts of scripts, models, events and stores on their way to a terminal. A control character in
/// them would be an order to it: to change its title or the clipboard, to hide or to overwrite what
/// stands there. So such characters are shown, and never sent.
public final class Controls {
    private static final int DELETE = 0x7f;
    private static final int LAST_C1 = 0x9f;

    private Controls() {}

    /// The text with each control as `\u001b`, which within JSON means what it did before. Line
    /// feeds and tabs stay, and an end of line of two characters becomes one.
    public static String shown(String text) {
        StringBuilder shown = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isControl(c) && shown == null) {
                shown = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (shown == null || c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n') {
                continue;
            }
            if (isControl(c)) {
                shown.append("\\u").append(java.util.HexFormat.of().toHexDigits(c));
            } else {
                shown.append(c);
            }
        }
        return shown == null ? text : shown.toString();
    }

    /// C0, DEL, C1, the ends of lines that only Unicode knows, and what turns the direction of
    /// writing.
    private static boolean isControl(char c) {
        return c < ' '
                ? c != '\n' && c != '\t'
                : c >= DELETE && (c <= LAST_C1 || c == '\u061c' || c == '\u200e' || c == '\u200f'
                        || c >= '\u2028' && c <= '\u202e' || c >= '\u2066' && c <= '\u2069');
    }
}
