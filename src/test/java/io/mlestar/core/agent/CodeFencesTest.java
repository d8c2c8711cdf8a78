package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.CodeFences.Fence;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeFencesTest {
    static Stream<Arguments> oneBlock() {
        return Stream.of(
                Arguments.of("the accepted example", "```python\nprint('hello')\n```", "print('hello')"),
                Arguments.of("no tag", "```\nx = 1\n```", "x = 1"),
                Arguments.of("text around", "Here it is:\n\n```python\nx = 1\n```\n\nGood luck!", "x = 1"),
                Arguments.of("py tag", "```py\nx = 1\n```", "x = 1"),
                Arguments.of("python3 tag, capital, space before", "``` Python3\nx = 1\n```", "x = 1"),
                Arguments.of("attributes", "```python title=\"train.py\" {linenos}\nx = 1\n```", "x = 1"),
                Arguments.of("attributes in braces", "```{.python}\nx = 1\n```", "x = 1"),
                Arguments.of("tildes", "~~~python\nx = 1\n~~~", "x = 1"),
                Arguments.of("backticks inside tildes", "~~~\nx = '''\n```\n'''\n~~~", "x = '''\n```\n'''"),
                Arguments.of("longer fence", "````python\nx = '''\n```\ny\n```\n'''\n````",
                        "x = '''\n```\ny\n```\n'''"),
                Arguments.of("longer closing", "```\nx = 1\n`````", "x = 1"),
                Arguments.of("indented fence", "1. Do\n   ```python\n   if x:\n       y = 1\n   ```",
                        "if x:\n    y = 1"),
                Arguments.of("indented block, plain fence", "```python\n    if x:\n        y = 1\n\n    z = 2\n```",
                        "    if x:\n        y = 1\n\n    z = 2"),
                Arguments.of("fence in a string", "```python\ns = \"```python\"\nt = '''x ```'''\n```",
                        "s = \"```python\"\nt = '''x ```'''"),
                Arguments.of("opening fence inside", "```python\ns = '''\n```python\n'''\n```",
                        "s = '''\n```python\n'''"),
                Arguments.of("CRLF", "```python\r\nx = 1\r\n\r\ny = 2\r\n```\r\n", "x = 1\n\ny = 2"),
                Arguments.of("unclosed", "Sure.\n```python\nx = 1\ny = 2\n", "x = 1\ny = 2"),
                Arguments.of("spaces behind the closing", "```python\nx = 1\n```  \t\nBye", "x = 1"),
                Arguments.of("blank lines kept", "```python\n\nx = 1\n\n```", "\nx = 1\n"),
                Arguments.of("unicode", "```python\ns = '😀 größe Δ'\n```", "s = '😀 größe Δ'"),
                Arguments.of("behind prose", "Here is the program: ```python\nx = 1\n```\nGood luck!", "x = 1"),
                Arguments.of("a byte order mark inside", "```python\n\uFEFFx = 1\n```", "x = 1"),
                Arguments.of("tabs", "```python\n\tx = 1\n```", "\tx = 1"));
    }

    static Stream<Arguments> severalBlocks() {
        return Stream.of(
                Arguments.of("longest", "```python\nx = 1\n```\nor\n```python\nx = 1\ny = 2\n```\nor\n```\nz\n```",
                        "x = 1\ny = 2"),
                Arguments.of("python before longer JSON",
                        "```json\n{\"a\": \"very long text indeed\"}\n```\n```python\nx = 1\n```", "x = 1"),
                Arguments.of("a program before a longer log",
                        "```python\nx = 1\n```\nIt prints:\n```\nEpoch 1 of 3, all is well\nEpoch 2 of 3, all is well\n```",
                        "x = 1"),
                Arguments.of("untagged before longer bash",
                        "```bash\npip install everything-there-is\n```\n```\nx = 1\n```",
                        "x = 1"),
                Arguments.of("other tag, alone", "```text\nx = 1\n```", "x = 1"),
                Arguments.of("empty before full", "```python\n```\n```python\nx = 1\n```", "x = 1"),
                Arguments.of("last one open", "```python\nx = 1\n```\n```python\nx = 1\ny = 2", "x = 1\ny = 2"),
                Arguments.of("tildes and backticks", "~~~python\nx = 1\n~~~\n```python\nx = 12\n```", "x = 12"));
    }

    /// Of several fences, of the longest one of Python.
    @ParameterizedTest(name = "{0}")
    @MethodSource({"oneBlock", "severalBlocks"})
    @Requirement({"REQ-SF-005", "REQ-SF-004", "REQ-P2O-004", "REQ-P2I-004", "REQ-P1-011", "REQ-P1-016"})
    void theInnerTextOfAFenceIsTheCode(String name, String answer, String code) {
        assertThat(CodeFences.code(answer)).contains(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"import os\nprint(1)", "x = 1", "from a.b import c", "print('x')",
        "for i in range(3):\n    f(i)",
        "@njit\ndef f(x):\n    return x", "df['a'] = df.b * 2", "df.loc[0, 'a'] += 1", "class A(B):\n    pass",
        "a, b = f()",
        "if x:\n    y()", "# comment only above\nx: int = 3\ny = x", "model.fit(\n    X,\n    y,\n)",
        "x = {'a': 1,\n     'b': 2}"})
    @Requirement("REQ-SF-005")
    void anUnfencedProgramIsTakenWholeAndTrimmed(String program) {
        assertThat(CodeFences.code("\n\n" + program + "\r\n ")).contains(program);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n\t", "Sorry, I cannot do that.", "No subsampling found.",
        "The solution uses all samples (no sampling).",
        "I would use a model such as LightGBM.\n\n- It is fast.\n- It is good.", "```python\n```", "```\n   \n```",
        "```",
        "As an AI, I think `x = 1` is wrong.", "Überlegung: nichts zu tun. 😀"})
    @Requirement("REQ-SF-005")
    void proseAndEmptyFencesAreNoCode(String answer) {
        assertThat(CodeFences.code(answer)).isEmpty();
    }

    @Test
    void tagsAreTheFirstWordInLowerCase() {
        assertThat(CodeFences.fences("```JSON\n{}\n```\ntext\n~~~Py:train.py\nx\n~~~\n```\ny"))
                .containsExactly(new Fence("json", "{}", true), new Fence("py", "x", true), new Fence("", "y", false));
    }

    @Test
    void aFenceOnOneLineIsNone() {
        assertThat(CodeFences.fences("Use ```x = 1``` here, or\n```x = 1```\n`` ` ``")).isEmpty();
    }
}
