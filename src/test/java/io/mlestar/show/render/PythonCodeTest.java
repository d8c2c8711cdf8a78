package io.mlestar.show.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Controls;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonCodeTest {
    private static String text(String html) {
        return html.replaceAll("<[^>]*>", "").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            import numpy as np     | [keyword:import] numpy [keyword:as] np
            def fit(x): # not def  | [keyword:def] [name:fit](x): [comment:# not def]
            class A(B): pass       | [keyword:class] [name:A](B): [keyword:pass]
            @cache                 | [name:@cache]
            a @ b                  | a @ b
            x = -1.5e-3 + 0xff     | x = -[number:1.5e-3] + [number:0xff]
            x1 = .5j - y2          | x1 = [number:.5j] - y2
            s = f"a{b}" + 'c\\'d'  | s = [string:f"a{b}"] + [string:'c\\'d']
            s = "not closed        | s = [string:"not closed]
            match = 1              | match = [number:1]
            match x:               | [keyword:match] x:
            imports(is_, none)     | imports(is_, none)
            """)
    void thePartsOfTheLanguageAreMarked(String code, String marked) {
        assertThat(text(PythonCode.html(code).replaceAll("<span class=\"py-(\\w+)\">(.*?)</span>", "[$1:$2]")))
                .isEqualTo(marked);
    }

    @Test
    void aStringOverManyLinesIsMarkedInEachOfThem() {
        assertThat(PythonCode.html("\"\"\"a\n\nb\"\"\" if\n"))
                .isEqualTo("<span class=\"py-string\">&quot;&quot;&quot;a</span>\n\n"
                        + "<span class=\"py-string\">b&quot;&quot;&quot;</span> <span class=\"py-keyword\">if</span>\n");
    }

    @Test
    void anyTextKeepsItsCharacters() {
        Random random = new Random(3);
        String letters = "\"'#\\\n\r\t @.01e+-rfxdef class<script>&\u202e\u001b\u00e4\ud83d\ude00";
        for (int i = 0; i < 3_000; i++) {
            StringBuilder code = new StringBuilder();
            for (int k = random.nextInt(60); k > 0; k--) {
                code.append(letters.charAt(random.nextInt(letters.length())));
            }
            String html = PythonCode.html(code.toString());
            assertThat(text(html)).isEqualTo(Controls.shown(code.toString().replace("\r\n", "\n").replace('\r', '\n')));
            assertThat(html.replaceAll("</?span( class=\"py-\\w+\")?>", "")).doesNotContain("<", ">", "\"");
            assertThat(html.lines())
                    .allSatisfy(line -> assertThat(line.split("<span", -1)).hasSameSizeAs(line.split("</span", -1)));
        }
    }

    @Test
    void muchCodeStaysBounded() {
        assertThat(PythonCode.html("1 ".repeat(1 << 19))).hasSizeLessThan((1 << 20) + 20_000 * 40);
        assertThat(PythonCode.html("@".repeat(1 << 20))).hasSizeLessThan((1 << 20) + 20_000 * 40);
        assertThat(PythonCode.html(" @".repeat(1 << 19))).hasSizeLessThan((1 << 20) + 20_000 * 40);
        assertThat(PythonCode.html("'\\\n".repeat(1 << 18))).hasSizeLessThan((1 << 20) + 20_000 * 60);
        assertThat(PythonCode.html("\"".repeat(1 << 19))).isNotEmpty();
    }
}
