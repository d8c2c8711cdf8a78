package io.mlestar.tool;

/// A here-document that was announced, and whose text follows after the line.
///
/// @param literal whether its end was quoted: then the shell puts nothing into it
/// @param tabs whether tabs before the end do not count (`<<-`)
record HereDocument(ShellCommand command, String end, boolean literal, boolean tabs) {
    /// Reads the text and gives it to the command.
    ///
    /// @return where the rest goes on
    int take(String text, int from) {
        StringBuilder body = new StringBuilder();
        int at = from;
        boolean continued = false;
        while (at < text.length()) {
            int next = text.indexOf('\n', at);
            String line = text.substring(at, next < 0 ? text.length() : next);
            at = next < 0 ? text.length() : next + 1;
            if (!continued && (tabs ? line.replaceFirst("^\t+", "") : line).equals(end)) {
                break;
            }
            body.append(line).append('\n');
            continued = !literal && (line.length() - line.replaceFirst("\\\\+$", "").length()) % 2 == 1;
        }
        command.input().add(body.toString());
        return at;
    }
}
