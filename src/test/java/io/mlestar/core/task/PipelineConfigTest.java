package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PipelineConfigTest {
    private static PipelineConfig config(String explicit) {
        return PipelineConfig.resolve(Json.parse(explicit), Map.of());
    }

    @Test
    @Requirement({"REQ-DM-001", "REQ-OR-044", "REQ-OR-009"})
    void nothingGivenMeansThePapersDefaults() {
        ObjectNode expected = (ObjectNode) Json
                .parse("""
                        {"num_retrieved_models": 4, "outer_loop_steps": 4, "inner_loop_steps": 4, "num_parallel_solutions": 2,
                         "ensemble_rounds": 5, "time_limit_seconds": 86400, "subsample_limit": 30000, "max_debug_attempts": 3,
                         "max_budget_usd": null, "model": "sonnet", "permission_mode": "bypassPermissions",
                         "phase_time_budget": null, "script_timeout_seconds": null, "agents": {},
                         "reference_discussions": [], "prices": {}, "blocked_commands": null,
                         "mcp_servers": {}, "search": "paper", "final_solution": "best",
                         "attempts": null, "folds": null, "studies": null, "agents_look": null,
                         "max_submission_mb": 256, "hardware": "auto", "provider_search": true, "data_card": true,
                         "needs_libraries": true, "outside_knowledge": true}
                        """);

        assertThat(Json.parse(Json.text(PipelineConfig.defaults()))).isEqualTo(expected);
        assertThat(config("{}")).isEqualTo(PipelineConfig.defaults());
        assertThat(PipelineConfig.defaults().limits().timeBudget()).isEqualTo(PhaseTimeBudget.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({"num_retrieved_models, 100", "outer_loop_steps, 1000", "inner_loop_steps, 1000",
        "num_parallel_solutions, 100",
        "ensemble_rounds, 1000", "time_limit_seconds, 31622400", "subsample_limit, 100000000",
        "max_debug_attempts, 100",
        "script_timeout_seconds, 31622400", "max_submission_mb, 1024"})
    @Requirement({"REQ-DM-002", "REQ-OR-002"})
    void everyWholeNumberMustBeAtLeastOneAndNoMoreThanCouldBeMeant(String field, int most) {
        for (int taken : new int[] {1, most}) {
            assertThat(Json.tree(config("{\"%s\": %d}".formatted(field, taken))).path(field).asInt()).isEqualTo(taken);
        }
        for (int refused : new int[] {0, -1, Integer.MIN_VALUE, most + 1, 1_000_000_000, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> config("{\"%s\": %d}".formatted(field, refused))).isInstanceOf(Invalid.class)
                    .hasMessage(field + (refused < 1 ? " must be at least 1" : " must be at most " + most) + ", but is "
                            + refused);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    max_budget_usd               | 1000001                          | max_budget_usd must be greater than 0 and at most
                    max_budget_usd               | 1e300                            | max_budget_usd must be greater than 0 and at most
                    phase_time_budget            | {"phase1": 1e9, "phase2": 1, "phase3": 1, "finalization": 1} | phase_time_budget.phase1
                    prices                       | {"a:b": {"input": 1e9, "output": 1}} | prices must be from 0 to
                    model                        | "%s"                             | model must have at most 4096 characters
                    agents                       | {"coder": {"model": "%s"}}       | agents.coder.model must have at most 4096 characters
                    agents                       | {"coder": {"tools": [%l]}}       | agents.coder.tools must have at most 100 elements
                    reference_discussions        | [%l]                             | reference_discussions must have at most 100 elements
                    reference_discussions        | ["%s"]                           | reference_discussions must have at most 262144 characters
                    blocked_commands             | [%l]                             | blocked_commands must have at most 1000 elements
                    blocked_commands             | ["%s"]                           | blocked_commands must have at most 1000 characters
                    """)
    void nothingMayBeLargerThanCouldBeMeant(String field, String value, String said) {
        String large = value.replace("%s", "x".repeat(300_000)).replace("%l", "\"Read\"" + ", \"Read\"".repeat(2_000));
        assertThatThrownBy(() -> config("{\"%s\": %s}".formatted(field, large))).isInstanceOf(Invalid.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"outer_loop_steps": 2.7}                 | outer_loop_steps
            {"outer_loop_steps": [1]}                 | outer_loop_steps
            {"outer_loop_steps": true}                | outer_loop_steps
            {"outer_lop_steps": 1}                    | outer_lop_steps
            {"outerLoopSteps": 1}                     | outerLoopSteps
            {"max_submission_mb": 1025}               | max_submission_mb
            {"hardware": ""}                          | hardware
            {"hardware": "GPU one"}                   | hardware
            {"max_budget_usd": 0}                     | max_budget_usd
            {"max_budget_usd": -5.5}                  | max_budget_usd
            {"model": " "}                            | model
            {"permission_mode": "guess"}              | permission_mode
            {"log_level": "INFO"}                     | log_level is a setting of the program
            {"log_file": "run.log"}                   | log_file is a setting of the program
            {"log_format": "json"}                    | log_format is a setting of the program
            {"agents": {"painter": {}}}               | agents.painter
            {"agents": {"planner": {"modell": "x"}}}  | agents.planner.modell
            {"agents": {"planner": null}}             | agents.planner
            {"agents": {"planner": {"tools": [null]}}} | agents.planner.tools[0]
            {"reference_discussions": [null]}         | reference_discussions
            {"phase_time_budget": {"phase1": 1, "phase2": 1, "phase3": 0, "finalization": 1}} | phase_time_budget.phase3
            [1]                                       | map of fields
            """)
    @Requirement({"REQ-DM-002", "REQ-OR-002", "REQ-OR-009"})
    void badConfigurationsAreRefusedByTheNameOfTheField(String explicit, String named) {
        assertThatThrownBy(() -> config(explicit)).isInstanceOf(Invalid.class).hasMessageContaining(named);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"agents": {"planner": {"tools": "Read"}}} | agents.planner.tools must be a list, but is "Read"
            {"agents": {"planner": "opus"}}            | agents.planner must be a map of fields, but is "opus"
            {"agents": []}                             | agents must be a map of fields, but is []
            {"reference_discussions": "text"}          | reference_discussions must be a list, but is "text"
            {"outer_loop_steps": "many"}               | outer_loop_steps must be a whole number, but is "many"
            {"num_retrieved_models": null}             | num_retrieved_models must be a whole number, but is null
            {"outer_loop_steps": 99999999999}          | outer_loop_steps is too large a number: 99999999999
            {"phase_time_budget": {"phase1": 1}}       | phase_time_budget.phase2 is required
            {"budget": 2}                              | unknown field budget; did you mean max_budget_usd?
            {"colour": 2}                              | unknown field colour; docs/settings.md lists the fields
            {"max_budget_usd": "much"}                 | max_budget_usd must be a number, but is "much"
            {"model": ["opus"]}                        | model must be a text, but is ["opus"]
            {"final_solution": ["best"]}               | final_solution must be one of [best, ensemble], but is ["best"]
            """)
    @Requirement("REQ-OR-002")
    void aValueOfAWrongKindIsRefusedInOneLineThatSaysWhichKindIsWanted(String explicit, String said) {
        assertThatThrownBy(() -> config(explicit)).isInstanceOf(Invalid.class).hasMessage(said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    {"final_solution": "verified"} | final_solution: verified was removed; search: strong chooses by all hidden rows
                    {"phase_time_budget": {"phase1": 0.1, "phase9": 0.1}} | unknown field phase_time_budget.phase9; did you mean phase1?
                    {"search": "strong", "folds": 0} | folds must be auto or 1 to 20, but is 0
                    {"search": "strong", "folds": "many"} | folds must be auto or 1 to 20, but is many
                    {"search": "strong", "agents_look": 21} | agents_look must be 0 to 20, but is 21
                    {"search": "strong", "studies": -1} | studies must be 0 to 1000, but is -1
                    {"search": "strong", "attempts": 0} | attempts must be at least 1, but is 0
                    {"search": "strnog"} | search must be one of [paper, strong], but is "strnog"; did you mean strong?
                    {"folds": 3} | folds is no setting of search: paper; leave it out: its scripts print their scores
                    {"search": "strong", "inner_loop_steps": 3} | inner_loop_steps is no setting of search: strong; leave it out: attempts says how many attempts all paths have together
                    """)
    void aSearchHasItsOwnNumbersAndNoOthers(String explicit, String said) {
        assertThatThrownBy(() -> config(explicit)).isInstanceOf(Invalid.class).hasMessage(said);
    }

    @Test
    void eachSearchIsReadWithItsNumbers() {
        assertThat(config("{\"ensemble_rounds\": 2}").search())
                .isEqualTo(new PaperSearch(4, 4, 4, 2, 2, FinalChoice.BEST));
        assertThat(config("{\"search\": \"strong\", \"attempts\": 7}").search())
                .isEqualTo(new StrongSearch(4, 3, 7, "auto", 3, 3));
        PipelineConfig strong = config("{\"search\": \"strong\"}");
        assertThat(Examples.roundTrip(strong, PipelineConfig.class)).isEqualTo(strong);
        assertThat(PipelineConfig.resolve(Json.tree(strong), Map.of())).isEqualTo(strong);
    }

    @Test
    @Requirement({"REQ-OR-045", "REQ-DM-003"})
    void anyFieldCanBeSetAndAllSurviveARoundTrip() {
        PipelineConfig config =
                config("""
                        {"num_retrieved_models": 1, "outer_loop_steps": 2, "inner_loop_steps": 3, "num_parallel_solutions": 5,
                         "ensemble_rounds": 6, "time_limit_seconds": 3600, "subsample_limit": 7, "max_debug_attempts": 8,
                         "max_budget_usd": 10.5, "model": "openai:gpt", "permission_mode": "acceptEdits",
                         "script_timeout_seconds": 60, "agents": {"coder": {"model": "opus", "tools": ["Read"]}, "init": {"tools": []}},
                         "phase_time_budget": {"phase1": 1, "phase2": 2, "phase3": 3, "finalization": 4},
                         "final_solution": "ensemble", "reference_discussions": ["a \\u00e4 {b}"],
                         "mcp_servers": {"web": {"url": "https://mcp.example/mcp?key=${MCP_KEY}", "headers": {"Authorization": "Bearer ${MCP_TOKEN}"}},
                          "own": {"command": "python3", "args": ["tools.py"], "env": {"MODE": "x"}, "agents": ["coder"]}}}
                        """);

        assertThat(Json.tree(config)).isNotEqualTo(Json.tree(PipelineConfig.defaults()));
        assertThat(Examples.roundTrip(config, PipelineConfig.class)).isEqualTo(config);
        assertThat(config.limits().timeBudget()).isEqualTo(new PhaseTimeBudget(1, 2, 3, 4));
    }

    @Test
    @Requirement("REQ-OR-046")
    void explicitBeatsEnvironmentBeatsDefault() {
        Map<String, String> environment = Map.of("MLE_STAR_MODEL", "opus", "MLE_STAR_PERMISSION_MODE", "custom",
                "MLE_STAR_MAX_BUDGET", " 2.5 ", "MLE_STAR_TIME_LIMIT", "600", "UNRELATED", "x");

        PipelineConfig fromEnvironment = PipelineConfig.resolve(Json.object(), environment);
        assertThat(fromEnvironment.models().model()).isEqualTo("opus");
        assertThat(fromEnvironment.tools().permissionMode()).isEqualTo("custom");
        assertThat(fromEnvironment.limits().maxBudgetUsd()).isEqualTo(2.5);
        assertThat(fromEnvironment.limits().timeLimitSeconds()).isEqualTo(600);
        assertThat(fromEnvironment.paper().outerLoopSteps()).isEqualTo(4);

        // Explicit values that equal the default still count as given.
        PipelineConfig explicit = PipelineConfig.resolve(
                Json.parse(
                        """
                                {"model": "sonnet", "permission_mode": "bypassPermissions", "max_budget_usd": null, "time_limit_seconds": 86400}
                                """),
                environment);
        assertThat(explicit).isEqualTo(PipelineConfig.defaults());
        assertThat(PipelineConfig.resolve(Json.object(), Map.of("MLE_STAR_MODEL", "", "MLE_STAR_TIME_LIMIT", " ")))
                .as("a blank counts as unset").isEqualTo(PipelineConfig.defaults());
    }

    @ParameterizedTest
    @CsvSource({"MLE_STAR_TIME_LIMIT, 1h, MLE_STAR_TIME_LIMIT", "MLE_STAR_TIME_LIMIT, 0, time_limit_seconds",
        "MLE_STAR_MAX_BUDGET, ten, MLE_STAR_MAX_BUDGET", "MLE_STAR_MAX_BUDGET, NaN, max_budget_usd",
        "MLE_STAR_MAX_BUDGET, Infinity, max_budget_usd", "MLE_STAR_PERMISSION_MODE, any, permission_mode"})
    @Requirement("REQ-OR-046")
    void badVariablesAreRefusedByName(String variable, String value, String named) {
        assertThatThrownBy(() -> PipelineConfig.resolve(Json.object(), Map.of(variable, value)))
                .isInstanceOf(Invalid.class).hasMessageContaining(named).hasMessageContaining(value);
    }

    @ParameterizedTest
    @CsvSource({"86400, 4, 0, 600", "3600, 4, 0, 450", "1, 4, 0, 1", "86400, 4, 60, 60", "86400, 1000, 0, 43"})
    @Requirement("REQ-P2O-035")
    void ablationStudiesGetAShareOfTheTimeAndTenMinutesAtMost(int limit, int steps, int scriptTimeout, int expected) {
        String timeout = scriptTimeout == 0 ? "null" : Integer.toString(scriptTimeout);

        assertThat(config("{\"time_limit_seconds\": %d, \"outer_loop_steps\": %d, \"script_timeout_seconds\": %s}"
                .formatted(limit, steps, timeout)).ablationTimeoutSeconds()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"100, null, 100", "100, 60, 60", "100, 200, 100"})
    void aScriptMayTakeNoLongerThanTheRun(int limit, String scriptTimeout, int expected) {
        assertThat(
                config("{\"time_limit_seconds\": %d, \"script_timeout_seconds\": %s}".formatted(limit, scriptTimeout))
                        .limits().solutionTimeoutSeconds())
                .isEqualTo(expected);
    }

    @Test
    void anAgentMayHaveAModelOfItsOwn() {
        PipelineConfig config = config("""
                {"model": "haiku", "agents": {"ens_planner": {"model": "opus"}, "coder": {}}}
                """);

        assertThat(config.models().modelOf(AgentType.ENS_PLANNER)).isEqualTo("opus");
        assertThat(config.models().modelOf(AgentType.CODER)).isEqualTo("haiku");
        assertThat(config.models().modelOf(AgentType.TEST)).isEqualTo("haiku");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    merges_at_once | 3 | merges are made one after the other, as in the paper
                    leakage_check | "beside" | every script is checked for leakage before it runs, or scored by rows that it does not see
                    rounds_at_once | 5 | ensemble rounds are made one after the other, as in the paper
                    """)
    @Requirement("REQ-OR-002")
    void aSettingThatWasRemovedIsNamedWithWhatThereIsInItsPlace(String field, String value, String instead) {
        assertThatThrownBy(() -> config("{\"%s\": %s}".formatted(field, value))).isInstanceOf(Invalid.class)
                .hasMessage(field + " was removed; leave it out: " + instead);
    }

    @ParameterizedTest
    @EnumSource
    void aPresetIsAConfigurationThatHasNothingOfWhatTheEnvironmentSays(Preset preset) {
        PipelineConfig config = PipelineConfig.resolve(preset.settings(),
                Map.of("MLE_STAR_MODEL", "haiku", "MLE_STAR_TIME_LIMIT", "3600"));
        assertThat(config.models().model()).isEqualTo("haiku");
        assertThat(config.limits().timeLimitSeconds()).isEqualTo(3_600);
        assertThat(Preset.named(preset.id())).isEqualTo(preset);
    }

    @Test
    void thePapersIsTheDefaultButForTheFinalScript() {
        ObjectNode settings = Preset.PAPER.settings();
        assertThat(settings.remove("final_solution").asText()).isEqualTo("ensemble");
        assertThat(PipelineConfig.resolve(settings, Map.of())).isEqualTo(PipelineConfig.defaults());
    }

    @Test
    void strongIsItsSearchAndQuickASmallOne() {
        assertThat(PipelineConfig.resolve(Preset.STRONG.settings(), Map.of()).search())
                .isEqualTo(new StrongSearch(4, 3, 36, "auto", 3, 3));
        assertThat(PipelineConfig.resolve(Preset.QUICK.settings(), Map.of()).search())
                .isEqualTo(new StrongSearch(2, 1, 4, "auto", 1, 3));
    }

    @Test
    void anotherNameIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Preset.named("cheap")).isInstanceOf(Invalid.class)
                .hasMessage("there is no preset \"cheap\"; there are quick, paper, strong");
    }
}
