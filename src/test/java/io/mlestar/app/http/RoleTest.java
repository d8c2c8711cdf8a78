package io.mlestar.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleTest {
    /// @param name of the one function that a pod exports, or of its role
    @ParameterizedTest
    @CsvSource({
        "ens_planner, POST, /,                                          , true",
        "ens_planner, POST, /,            io.mlestar.agent.ens_planner , true",
        "ens_planner, POST, /ens_planner,                               , true",
        "ens_planner, POST, /,            io.mlestar.agent.planner     , false",
        "ens_planner, POST, /ens_planner, io.mlestar.phase.pipeline    , false",
        "ens_planner, POST, /,            ''                           , false",
        "ens_planner, POST, /planner,                                   , false",
        "ens_planner, POST, /dead-letter,                               , false",
        "ens_planner, GET,  /ens_planner,                               , false",
        "ens_planner, GET,  /,                                          , false",
        "ens_planner, GET,  /runs,                                      , false",
        "dead-letter, POST, /dead-letter, io.mlestar.agent.planner     , true",
        "dead-letter, POST, /,            io.mlestar.agent.planner     , false",
        "dead-letter, POST, /,            io.mlestar.dead-letter       , true",
        "status, GET,  /,              , true",
        "status, HEAD, /runs,          , true",
        "status, GET,  /runs/a/steps,  , true",
        "status, POST, /,              , false",
        "status, POST, /runs/a/cancel, , true",
        "status, POST, /runs/a/notes,  , true",
        "status, POST, /runs/a/extend, , true",
        "status, POST, /runs/a/cancel, io.mlestar.agent.planner, false",
        "status, POST, /runs/a,        , false",
        "status, POST, /planner,       , false",
        "status, GET,  /planner,       , false",
        "status, GET,  /,              io.mlestar.agent.planner, false",
        "agents, POST, /,            io.mlestar.agent.ens_planner , true",
        "agents, POST, /planner,                                  , true",
        "agents, POST, /planner,     io.mlestar.agent.planner     , true",
        "agents, POST, /planner,     io.mlestar.agent.coder       , false",
        "agents, POST, /,            io.mlestar.phase.pipeline    , false",
        "agents, POST, /pipeline,                                 , false",
        "agents, POST, /dead-letter, io.mlestar.agent.planner     , false",
        "agents, GET,  /planner,                                  , false",
        "agents, GET,  /runs,                                     , false",
        "phases, POST, /,            io.mlestar.phase.pipeline    , true",
        "phases, POST, /,            io.mlestar.run.requested     , true",
        "phases, POST, /,            dev.knative.sources.ping     , true",
        "phases, POST, /dead-letter, io.mlestar.agent.planner     , true",
        "phases, POST, /,            io.mlestar.agent.planner     , false",
        "phases, POST, /,            io.mlestar.script.run        , false",
        "phases, POST, /planner,                                  , false",
    })
    void aPodServesItsFunctionsAndHidesTheOthers(String name, String method, String path, String event,
            boolean served) {
        boolean isRole = List.of("status", "agents", "phases").contains(name);
        Role role =
                isRole ? Role.of(Optional.empty(), Optional.of(name)) : Role.of(Optional.of(name), Optional.empty());
        assertThat(role.serves(method, path, Optional.ofNullable(event))).isEqualTo(served);
    }

    @Test
    void withoutARoleEverythingIsServed() {
        assertThat(Role.of(Optional.empty(), Optional.empty())).isEqualTo(new Role.Everything());
    }

    @Test
    void aRoleThatIsNoneIsNamed() {
        assertThatThrownBy(() -> Role.of(Optional.of("wizard"), Optional.empty())).isInstanceOf(Invalid.class)
                .hasMessageContaining("wizard");
        assertThatThrownBy(() -> Role.of(Optional.empty(), Optional.of("king"))).isInstanceOf(Invalid.class)
                .hasMessageContaining("king");
        assertThatThrownBy(() -> Role.of(Optional.of("planner"), Optional.of("status"))).isInstanceOf(Invalid.class)
                .hasMessageContaining("not both");
    }
}
