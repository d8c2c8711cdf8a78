package io.mlestar.core.agent;

import io.mlestar.core.agent.CodeFences.Fence;
import io.mlestar.core.base.Sha256;
import java.util.stream.Collectors;

/// The code that a prompt asks about. Scores, times and facts of the machine differ from run to
/// run; the code is what an answer rewrites.
public final class PromptCode {
    private static final String TAG = "python";
    private static final int DIGITS = 16;

    private PromptCode() {}

    /// The beginning of a digest of all Python blocks of a prompt; empty if it has none.
    public static String digest(String prompt) {
        String code = CodeFences.fences(prompt)
                .stream()
                .filter(fence -> fence.tag().equals(TAG))
                .map(Fence::content)
                .collect(Collectors.joining("\n"));
        return code.isBlank() ? "" : Sha256.digits(code, DIGITS);
    }
}
