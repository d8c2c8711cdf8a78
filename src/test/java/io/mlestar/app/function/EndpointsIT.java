package io.mlestar.app.function;

import io.mlestar.app.cli.Program;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.restassured.RestAssured;
import io.restassured.builder.RequestSpecBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The doors of the built program, JVM or native.
@QuarkusIntegrationTest
class EndpointsIT extends EndpointsTest {
    @BeforeAll
    static void showTheToken() {
        RestAssured.requestSpecification = new RequestSpecBuilder().addHeader("Authorization", "Bearer " + Program.TOKEN).build();
    }

    @AfterAll
    static void forgetIt() {
        RestAssured.requestSpecification = null;
    }
}
