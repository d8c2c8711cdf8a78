package io.mlestar.app.cli;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.restassured.http.ContentType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which servers offer tools over MCP.
class McpEndpointIT {
    private static final Pattern ADDRESS = Pattern.compile("Listening on: (http://\\S+)");

    @TempDir
    private Path folder;

    private String address(Process program) throws Exception {
        Path err = folder.resolve("err");
        Waiting.until("it says where it listens", () -> ADDRESS.matcher(Files.readString(err)).find() || !program.isAlive());
        Matcher said = ADDRESS.matcher(Files.readString(err));
        assertThat(said.find()).as(Files.readString(err)).isTrue();
        return said.group(1);
    }

    @Test
    @Requirement("REQ-OR-010")
    void aPodThatServesOneFunctionOffersNone() throws Exception {
        Process program = new Program(folder).with("QUARKUS_FUNQY_EXPORT", "planner").with("K_SERVICE", "planner")
                .with("MLE_STAR_MODEL", "recorded:" + Program.MINI + "/answers")
                .start("serve", "--port", "0");
        try {
            String address = address(program);
            for (String path : new String[] {"/mcp", "/mcp/", "/mcp/sse", "/mcp/messages/1"}) {
                given().contentType(ContentType.JSON).body("{}").post(URI.create(address + path)).then().statusCode(404);
                given().get(URI.create(address + path)).then().statusCode(404);
            }
            assertThat(given().get(URI.create(address + "/q/health/live")).statusCode()).isEqualTo(200);
            assertThat(given().get(URI.create(address + "/q/health/ready")).asString()).as("it knows no broker").contains("K_SINK is not set");
        } finally {
            program.destroy();
            program.waitFor();
        }
    }
}
