package io.mlestar.core.task;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The settings of a run, and the servers with tools among them.
class PipelineConfigTest {
    private static PipelineConfig config(String explicit) {
        return PipelineConfig.resolve(Json.parse(explicit), Map.of());
    }

    private static JsonNode settings(String file) throws IOException {
        return Json.parse(Files.readAllBytes(Path.of("src/test/resources/cases/" + file + ".json")));
    }

    @Test
    @Requirement({"REQ-DM-001", "REQ-OR-044", "REQ-OR-009"})
    void nothingGivenMeansThePapersDefaults() throws IOException {
        assertThat(Json.parse(Json.text(PipelineConfig.defaults()))).isEqualTo(settings("default-settings"));
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
            refusal(() -> config("{\"%s\": %d}".formatted(field, refused)))
                    .isEqualTo(field + (refused < 1 ? " must be at least 1" : " must be at most " + most) + ", but is "
                            + refused);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/too-large-settings.csv", delimiter = '|', quoteCharacter = '`',
            numLinesToSkip = 1)
    void nothingMayBeLargerThanCouldBeMeant(String field, String value, String said) {
        String large = value.replace("%s", "x".repeat(300_000)).replace("%l", "\"Read\"" + ", \"Read\"".repeat(2_000));
        refusal(() -> config("{\"%s\": %s}".formatted(field, large))).contains(said);
    }

    /// @param message whether it is just what is said, or names that
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-settings.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    @Requirement({"REQ-DM-002", "REQ-OR-002", "REQ-OR-009"})
    void whatIsNoSettingOrOfAWrongKindIsRefusedInOneLineThatSaysWhatIsWanted(String settings, String message,
            String said) {
        assertThatThrownBy(() -> config(settings)).isInstanceOf(Invalid.class).message()
                .matches(text -> message.equals("is") ? text.equals(said) : text.contains(said), said);
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
    void anyFieldCanBeSetAndAllSurviveARoundTrip() throws IOException {
        PipelineConfig config = PipelineConfig.resolve(settings("all-settings"), Map.of());

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
        refusal(() -> PipelineConfig.resolve(Json.object(), Map.of(variable, value))).contains(named, value);
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
    @EnumSource
    void aPresetIsAConfigurationThatHasNothingOfWhatTheEnvironmentSays(Preset preset) {
        PipelineConfig config = PipelineConfig.resolve(preset.settings(),
                Map.of("MLE_STAR_MODEL", "haiku", "MLE_STAR_TIME_LIMIT", "3600"));
        assertThat(config.models().model()).isEqualTo("haiku");
        assertThat(config.limits().timeLimitSeconds()).isEqualTo(3_600);
        assertThat(Preset.named(preset.id())).isEqualTo(preset);
    }

    @Test
    void thereArePresetsForThePaperForStrongSearchAndForASmallOne() {
        ObjectNode settings = Preset.PAPER.settings();
        assertThat(settings.remove("final_solution").asText()).isEqualTo("ensemble");
        assertThat(PipelineConfig.resolve(settings, Map.of())).isEqualTo(PipelineConfig.defaults());
        assertThat(PipelineConfig.resolve(Preset.STRONG.settings(), Map.of()).search())
                .isEqualTo(new StrongSearch(4, 3, 36, "auto", 3, 3));
        assertThat(PipelineConfig.resolve(Preset.QUICK.settings(), Map.of()).search())
                .isEqualTo(new StrongSearch(2, 1, 4, "auto", 1, 3));
        refusal(() -> Preset.named("cheap")).isEqualTo("there is no preset \"cheap\"; there are quick, paper, strong");
    }

    private static PipelineConfig withServer(String name, String server) {
        return PipelineConfig.resolve(Json.parse("{\"mcp_servers\": {\"%s\": %s}}".formatted(name, server)), Map.of());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-mcp-servers.csv", delimiter = '|', quoteCharacter = '`',
            numLinesToSkip = 1)
    @Requirement("REQ-OR-010")
    void aBadServerIsRefusedByTheNameOfTheField(String server, String message) {
        refusal(() -> withServer("x", server)).contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a__b", "ä", "a.b", "_a", "x23456789-123456789-123456789-1"})
    void aNameMustFitTheNamesOfTools(String name) {
        refusal(() -> withServer(name, "{\"command\": \"c\"}")).contains("a server's name is");
    }

    @Test
    void referencesAreFilledFromTheEnvironmentAndNothingElseIs() {
        assertThat(McpServer.filled("Bearer ${MCP_A}-${MCP_B} $MCP_A {MCP_A}",
                Map.of("MCP_A", "1$2\n", "MCP_B", "${MCP_A}"))).isEqualTo("Bearer 1$2-${MCP_A} $MCP_A {MCP_A}");
        refusal(() -> McpServer.filled("${MCP_A}", Map.of())).isEqualTo("the environment variable MCP_A is not set");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/mcp-secrets.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    void secretsGoToAddressesThatTheOperatorNamedAndToNoOther(String server, String named, boolean may) {
        assertThat(isTaken(server, Map.of("MLE_STAR_MCP_URLS", named))).isEqualTo(may);
        assertThat(isTaken(server, Map.of())).isEqualTo(may && named.isEmpty());
    }

    private static boolean isTaken(String server, Map<String, String> environment) {
        try {
            withServer("x", server).tools().mcpServers().get("x").checkUntrusted("x", environment);
            return true;
        } catch (Invalid e) {
            return false;
        }
    }

    @Test
    void aServerIsForAllAgentsUnlessItSaysForWhich() {
        assertThat(withServer("x", "{\"command\": \"c\"}").tools().mcpServers().get("x").isFor(AgentType.TEST))
                .isTrue();
        McpServer some = withServer("x", "{\"command\": \"c\", \"agents\": [\"coder\"]}").tools().mcpServers().get("x");
        assertThat(some.isFor(AgentType.CODER)).isTrue();
        assertThat(some.isFor(AgentType.TEST)).isFalse();
    }
}
