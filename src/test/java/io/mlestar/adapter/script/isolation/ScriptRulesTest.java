package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptRulesTest {
    @ParameterizedTest
    @Requirement("REQ-EX-006")
    @ValueSource(strings = {"", " ", "\n\t \r\n"})
    void aBlankScriptIsRefused(String content) {
        assertThatThrownBy(() -> ScriptRules.check(content)).isInstanceOf(Invalid.class).hasMessageContaining("empty");
    }

    /// By the text alone, in comments and strings, too.
    @ParameterizedTest
    @Requirement({"REQ-EX-006", "REQ-EX-044", "REQ-FN-046"})
    @ValueSource(strings = {"exit()", "exit(1)", "exit ()", "if bad: exit()", "sys.exit()", "sys.exit (0)",
        "import sys\nsys.exit('no data')",
        "os._exit(1)", "os._exit (1)", "quit()", "quit ( )", "x = 1;quit()", "# never call exit()", "print('exit()')",
        "driver.quit()"})
    void aCallThatEndsTheProcessIsRefused(String content) {
        assertThatThrownBy(() -> ScriptRules.check("import os\n" + content + "\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("exit()").hasMessageContaining("sys.exit()").hasMessageContaining("os._exit()")
                .hasMessageContaining("quit()");
    }

    @ParameterizedTest
    @Requirement("REQ-EX-044")
    @ValueSource(strings = {"print(1)", "on_exit()", "exit_code = run()", "exits(1)", "atexit.register(f)",
        "early_quit()", "quitter()",
        "raise SystemExit", "from sys import exit"})
    void whatOnlyLooksLikeItPasses(String content) {
        assertThatCode(() -> ScriptRules.check(content)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-045")
    @ValueSource(strings = {"try:\n    f()\nexcept:\n    g()\n", "try: f()\nexcept : pass",
        "if a:\n    try:\n        f()\n    except:\n        raise\n"})
    void aBareExceptIsWarnedOf(String content) {
        assertThat(ScriptRules.errorMasking(content)).containsExactly("a bare `except:` hides every error");
    }

    @ParameterizedTest
    @Requirement("REQ-EX-045")
    @ValueSource(strings = {"except Exception:\n    pass\n", "except Exception as e:\n    pass\n",
        "except BaseException:\n    pass\n",
        "except Exception: pass", "    except Exception:  # never mind\n        pass\n",
        "except Exception:\r\n    pass\r\n",
        "except Exception:\n\n    # never mind\n    pass\n"})
    void aHandlerThatOnlyPassesIsWarnedOf(String handler) {
        assertThat(ScriptRules.errorMasking("try:\n    f()\n" + handler))
                .containsExactly("an `except Exception: pass` hides errors");
        assertThat(ScriptRules.errorMasking("try:\n    f()\n" + handler + "\nexcept:\n    pass\n")).hasSize(2);
        assertThatCode(() -> ScriptRules.check("try:\n    f()\n" + handler)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-045")
    @ValueSource(strings = {"print(1)\n", "try:\n    f()\nexcept ValueError:\n    pass\n",
        "try:\n    f()\nexcept Exception:\n    print(1)\n",
        "try:\n    f()\nexcept Exception:\n    pass_on()\n", "try:\n    f()\nexcept Exceptional:\n    pass\n"})
    void aHandlerThatDoesSomethingIsNot(String content) {
        assertThat(ScriptRules.errorMasking(content)).isEmpty();
    }

    @Test
    void longScriptsAreNoTrouble() {
        String comments = "# a comment\n".repeat(50_000);
        assertThat(ScriptRules.errorMasking("try:\n    f()\nexcept Exception:\n" + comments + "    g()\n")).isEmpty();
        assertThatCode(() -> ScriptRules.check(comments + "print(1)\n")).doesNotThrowAnyException();
    }
}
