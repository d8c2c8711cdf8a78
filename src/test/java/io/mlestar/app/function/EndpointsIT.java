package io.mlestar.app.function;

import io.mlestar.app.cli.Program;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.restassured.RestAssured;
import module java.base;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The doors of the built program, JVM or native.
@QuarkusIntegrationTest
class EndpointsIT extends EndpointsTest {
    /// A filter, since a specification would keep the port that it is made with.
    @BeforeAll
    static void showTheToken() {
        RestAssured.filters((request, response, context) -> {
            request.header("Authorization", "Bearer " + Program.TOKEN);
            return context.next(request, response);
        });
    }

    @AfterAll
    static void forgetIt() {
        RestAssured.replaceFiltersWith(List.of());
    }
}
