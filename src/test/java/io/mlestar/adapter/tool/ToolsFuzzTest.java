package io.mlestar.adapter.tool;

import io.mlestar.Fuzz;
import module java.base;
import org.junit.jupiter.api.Test;

/// The commands that a model may have run, and what a page may hold.
public class ToolsFuzzTest {
    /// The length that a command may have at most.
    private static final int LONGEST = 50_000;

    @Test
    void anyCommandIsAllowedOrRefused() {
        BlockedCommands rules = new BlockedCommands(ToolSettings.BLOCKED_COMMANDS);
        new Fuzz(List.of("ls -la | grep x > out.txt", "cat <<'EOF' > a.py\nprint(1)\nEOF\npython a.py",
                "for f in *.csv; do head -1 \"$f\"; done",
                "bash -c \"rm -rf '/'\"", "a=$(cat `ls`) && echo ${a:-$((1+2))} 2>&1", "x() { echo; }; x",
                ":(){ :|:& };:",
                "find . -name '*.py' -exec rm {} \\;"),
                List.of("$(", ")", "`", "${", "}", "$((", "<<EOF", "<<-'E'", "\nEOF\n", "<(", ">", ">>", "2>&1", "'",
                        "\"", "\\", ";;", "case x in", "esac",
                        "$'\\x41'", "{a,b}", "~", "*", "&&", "||", "|", "&", "\n", "#", "eval ", "sh -c ", "xargs ",
                        "env ", "((", "[[", "()", "(){"))
                .feed(command -> rules.refusal(command.substring(0, Math.min(command.length(), LONGEST))));
    }

    @Test
    void anyPageHasWords() {
        new Fuzz(List.of(
                "<!doctype html><html><head><title>T</title><script>var a = '<b>';</script></head><body><p>One &amp; two &#8212; &#x1F600;</p></body></html>",
                "<ul><li>a<li>b</ul><!-- c --><svg><path d=''/></svg>", "plain"),
                List.of("<", ">", "</", "<!--", "-->", "<script", "</script", "<style>", "<svg", "&", "&#",
                        "&#x110000;", "&#xD800;", "&amp", ";", "<a href=\"",
                        "İ", "\"", "'", "<template>", "&#0;", "&#99999999;"))
                .feed(PageText::of);
    }
}
