package io.mlestar.adapter.script.isolation;

import io.mlestar.core.base.Invalid;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Checks the text of a script before it is run.
public final class ScriptRules {
    private static final Pattern ENDS_PROCESS =
            Pattern.compile(
                    "\\bexit\\s*\\(|\\bsys\\.exit\\s*\\(|\\bos\\._exit\\s*\\(|\\bquit\\s*\\(");
    private static final Pattern BARE_EXCEPT = Pattern.compile("(?m)^[ \\t]*+except[ \\t]*+:");
    private static final Pattern SILENT_EXCEPT = Pattern.compile(
            "(?m)^[ \\t]*except\\s+(?:Exception|BaseException)\\b[^\\n:]*:(?:\\s++|#[^\\n]*+)*+pass\\b");

    private ScriptRules() {}

    /// @throws Invalid if the script is blank or calls what ends the process before the score is
    ///   printed (REQ-EX-006, REQ-EX-044)
    public static void check(String content) {
        if (content.isBlank()) {
            throw new Invalid("the script is empty");
        }
        if (ENDS_PROCESS.matcher(content).find()) {
            throw new Invalid("the script must not call exit(), sys.exit(), os._exit() or quit()");
        }
    }

    /// Warnings about handlers that hide errors (REQ-EX-045). Advice only: nothing is refused for
    /// it.
    public static List<String> errorMasking(String content) {
        List<String> warnings = new ArrayList<>();
        if (BARE_EXCEPT.matcher(content).find()) {
            warnings.add("a bare `except:` hides every error");
        }
        if (SILENT_EXCEPT.matcher(content).find()) {
            warnings.add("an `except Exception: pass` hides errors");
        }
        return warnings;
    }
}
