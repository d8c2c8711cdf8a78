package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Fuzz;
import io.mlestar.adapter.grade.Table;
import io.mlestar.adapter.script.Scores;
import io.mlestar.adapter.script.Tracebacks;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Trace;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import module java.base;
import org.junit.jupiter.api.Test;

/// Texts that a model may answer, a script print and submit, an event carry, and a store hold.
public class ParsersFuzzTest {
    private static final List<String> JSON =
            List.of("{", "}", "[", "]", ":", ",", "\"", "\\u", "\\ud800", "null", "true", "1e999", "-0", "1.", "NaN",
                    "{\"a\":", "[[",
                    "\"step\":", "\"run_id\":", "/", "..", "\"timeout_seconds\":", "\"time_limit_seconds\":1e300",
                    "9223372036854775808", "\ufeff", "/*", "//");
    private static final List<String> ANSWERS =
            List.of("```python\nx = 1\nprint('Final Validation Performance: 0.5')\n```",
                    "Here:\n~~~py\ny = '```'\n~~~\nand\n   ```\nz\n   ```",
                    """
                            {"models":[{"model_name":"a","example_code":"import b"}]}""",
                    """
                            {"plans":[{"code_block":"x = 1","plan":"Make it 2."}]}""",
                    "```json\n{\"answers\":[{\"leakage_status\":\"No Data Leakage\",\"code_block\":\"\"}]}\n```",
                    "{\"verdict\": \"Novel\"}", "All the provided information is used.", "import os\nprint(1)", "");
    private static final List<String> WORDS =
            List.of("```", "~~~", "```python\n", "\n```\n", "````", "   ```", "{", "}", "[", "]", "{\"a\":", "[[", "\"",
                    "\\u0000",
                    "\\", "null", "1e999", "-", "models", "plans", "answers", "code_block", "\n", "\r\n", "import x\n",
                    "print(", "NaN", ",", "```py\r\n");

    @Test
    void anyOutputHasAScoreOrNone() {
        new Fuzz(
                List.of("Final Validation Performance: 0.85\n", "epoch 1\rFinal Validation Performance: -1.5e-3",
                        "Final Validation Performance: nan"),
                List.of("Final Validation Performance: ", "Final Validation Performance:", "0.85", "1,234.5", "e", "E+",
                        "-", "inf", "NaN", "\n", "\r", ".",
                        "9", "_", "%"))
                .feed(output -> {
                    OptionalDouble score = Scores.parse(output);
                    assertThat(score.isEmpty() || Double.isFinite(score.getAsDouble())).isTrue();
                });
    }

    @Test
    void anyErrorOutputHasATracebackOrNone() {
        new Fuzz(List.of(
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    x\nNameError: name 'x' is not defined\n",
                "warn\nTraceback (most recent call last):\n  File \"a\"\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n"
                        + "Traceback (most recent call last):\n  File \"b\"\nValueError\n"),
                List.of("Traceback (most recent call last):\n", "  File \"", "\n", "    ",
                        "During handling of the above exception, another exception occurred:\n",
                        "  + Exception Group Traceback (most recent call last):\n", "  | ", "^^^^", "Error: ", "\r\n",
                        ":"))
                .feed(errors -> {
                    Tracebacks.last(errors).ifPresent(last -> assertThat(last).isNotBlank());
                    assertThat(Tracebacks.madeUp(errors, "TimeoutError: it took too long")).contains("TimeoutError");
                });
    }

    @Test
    void anySubmissionIsATableOrRefused() {
        new Fuzz(List.of("id,y\n1,0.5\n2,0.25\n", "id,text,y\r\n1,\"a, \"\"b\"\"\nc\",1\r\n", "id\n"),
                List.of(",", "\"", "\"\"", "\n", "\r", "\r\n", "\ufeff", "nan", "1e400", ";", "\0", "id,y\n"))
                .feed(csv -> Table.of("submission", csv.getBytes(StandardCharsets.UTF_8), 1), Invalid.class);
    }

    @Test
    void anyJsonIsReadOrRefused() {
        new Fuzz(List.of(
                """
                        {"competition_id":"a","task_type":"tabular","data_modality":"tabular","evaluation_metric":"AUC",\
                        "metric_direction":"maximize","description":"d"}""",
                """
                        {"outer_loop_steps":2,"agents":{"coder":{"model":"openai:x"}},"max_budget_usd":1.5}"""),
                JSON).feed(text -> {
                    JsonNode json = Json.parse(text);
                    assertThat(Controls.shown(Json.line(json))).doesNotContainPattern("[\\x00-\\x1f\\x7f-\\x9f]");
                    try {
                        Json.readStrictly(json, TaskDescription.class);
                    } catch (Invalid refused) {
                        assertThat(refused.getMessage()).isNotBlank();
                    }
                    Json.readStrictly(json, PipelineConfig.class);
                }, Invalid.class);
    }

    @Test
    void anyEventNamesAStepOrIsRefused() {
        new Fuzz(List.of("{\"run_id\":\"r\",\"step\":\"r/phase1/init\"}",
                "{\"step\":\"r/phase2-path0/block0/attempt1/coder\"}"), JSON)
                .feed(text -> {
                    assertThat(Event.stepOf(Json.parse(text)).toString()).matches("[A-Za-z0-9._/-]+");
                }, Invalid.class);
        new Fuzz(List.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                List.of("-", "00", "ff", "0000000000000000", "x", " "))
                .feed(text -> assertThat(Trace.parse(text, text)).isNotNull());
    }

    @Test
    void anyRecordIsReadOrDamaged() {
        String sealed = new String(
                ChecksummedJson.bytes(Json.object().put("status", "done").put("ended_at", "2026-01-01T00:00:00Z")),
                StandardCharsets.UTF_8);
        new Fuzz(List.of(sealed, "{}", "{\"status\":\"failed\"}"), JSON)
                .feed(text -> assertThat(ChecksummedJson.read("key", text.getBytes(StandardCharsets.UTF_8)).isObject())
                        .isTrue(), DamagedRecord.class);
    }

    @Test
    void everyAgentReadsAnyAnswerOrSaysThatItCannot() {
        List<Agent<?>> agents = Given.agents();
        int[] next = {0};
        new Fuzz(ANSWERS, WORDS).feed(answer -> {
            Agent<?> agent = agents.get(next[0]++ % agents.size());
            Object read = agent.read(answer);
            assertThat(read).isEqualTo(agent.read(answer));
        }, UnreadableAnswer.class);
    }
}
