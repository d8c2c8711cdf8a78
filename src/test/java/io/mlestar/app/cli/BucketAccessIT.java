package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.mlestar.LocalServer;
import io.mlestar.adapter.broker.Certificates;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program with its runs and its data in a bucket, and ways to a bucket on which libraries look
/// for classes and texts by name, or for authorities in files: what works on the JVM is missing in
/// a native image that has no entry for it.
class BucketAccessIT {
    private static final String NOTHING = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
    /// The answer of AWS's security token service (AWS STS API reference, AssumeRole).
    private static final String ASSUMED =
            """
                    <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
                    <AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>of-the-role</SessionToken>
                    <Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>""";

    @TempDir
    private Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private static void answer(HttpExchange exchange, int status, String xml) throws IOException {
        byte[] body = xml.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private Program program(String address) {
        return new Program(folder).with("AWS_ENDPOINT_URL_S3", address).with("AWS_REGION", "us-east-1")
                .with("AWS_EC2_METADATA_DISABLED", "true");
    }

    @Test
    void aRunLivesInABucketWithItsData() throws Exception {
        try (S3Server server = S3Server.start()) {
            Program program = new Program(folder).with("MLE_STAR_CACHE", folder.resolve("cache").toString());
            server.environment().forEach(program::with);
            String bucket = server.freshAddress();
            String store = server.freshAddress();
            Program.Ended pushed = program.run("data", "push", Program.MINI.resolve("input").toString(), bucket);
            assertThat(pushed.exitCode()).as(pushed.err()).isZero();
            assertThat(pushed.out()).startsWith("data_dir: " + bucket + "#");
            Files.writeString(folder.resolve("task.yaml"),
                    Files.readString(Program.MINI.resolve("task.yaml")).replaceAll("(?m)^data_dir:.*\\R", "") + "\n"
                            + pushed.out());

            Program.Ended ended = program.run("run", "--task", "task.yaml", "--model", Program.ANSWERS, "--run-id",
                    "mini", "--store", store, "--set", "outer_loop_steps=1");
            assertThat(ended.exitCode()).as(ended.err()).isZero();
            assertThat(ended.out()).contains("submission " + store + "/runs/mini/submission.csv");
            assertThat(folder.resolve("s3:")).doesNotExist();
            assertThat(folder.resolve("cache")).isNotEmptyDirectory();

            Program.Ended status = program.run("status", "mini", "--json", "--store", store);
            assertThat(status.exitCode()).isZero();
            assertThat(status.err()).isEmpty();
            assertThat(Json.parse(status.out()).path("run_id").asText()).isEqualTo("mini");
        }
    }

    @Test
    void theRoleOfAProfileIsAssumed() throws Exception {
        Path profiles = Files.writeString(folder.resolve("profiles"), """
                [profile base]
                aws_access_key_id = AKIABASE
                aws_secret_access_key = secret
                [profile work]
                role_arn = arn:aws:iam::123456789012:role/work
                source_profile = base
                """);
        try (LocalServer server = LocalServer.start(exchange -> {
            boolean role = exchange.getRequestMethod().equals("POST");
            asked.add(role ? "role" : exchange.getRequestHeaders().getFirst("x-amz-security-token"));
            answer(exchange, 200, role ? ASSUMED : NOTHING);
        })) {
            Program.Ended ended =
                    program(server.address()).with("AWS_ENDPOINT_URL_STS", server.address())
                            .with("AWS_CONFIG_FILE", profiles.toString())
                            .with("AWS_SHARED_CREDENTIALS_FILE", folder.resolve("none").toString())
                            .with("AWS_PROFILE", "work").run("runs", "--store", "s3://bucket/x");
            assertThat(ended.exitCode()).as(ended.err()).isZero();
            assertThat(asked).startsWith("role").contains("of-the-role");
        }
    }

    @Test
    void anAnswerThatIsNoXmlIsRetriedAndThenNamedInOneLine() throws Exception {
        try (LocalServer server = LocalServer.start(exchange -> {
            asked.add(exchange.getRequestMethod());
            answer(exchange, 200, "<ListBucketResult><Contents><Key>run-1</Wrong></ListBucketResult>");
        })) {
            Program.Ended ended = program(server.address()).with("AWS_ACCESS_KEY_ID", "key")
                    .with("AWS_SECRET_ACCESS_KEY", "secret").run("runs", "--store", "s3://bucket/x");
            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
            assertThat(ended.err().strip().lines()).hasSize(1).first().asString().startsWith("mlestar: cannot ")
                    .contains("s3://bucket/x");
            assertThat(asked).hasSizeGreaterThan(1);
        }
    }

    @Test
    void theOperatorsAuthoritiesAreTrustedByTheClientsOfBucketsAndOfModels() throws Exception {
        Certificates certificates = Certificates.make(folder);
        Path file = Files.writeString(folder.resolve("company.pem"), certificates.authority());
        try (LocalServer server = LocalServer.startEncrypted(certificates.ofServer(), exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            answer(exchange, 404, "<Error><Code>NoSuchBucket</Code></Error>");
        })) {
            Program.Ended ended =
                    program(server.address()).with("AWS_ACCESS_KEY_ID", "key").with("AWS_SECRET_ACCESS_KEY", "secret")
                            .with("MLE_STAR_CA_FILE", file.toString())
                            .with("OLLAMA_BASE_URL", server.address() + "/ollama")
                            .run("doctor", "--store", "s3://bucket/x", "--model", "ollama:tiny", "--ask");
            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
            assertThat(asked).anyMatch(path -> path.startsWith("/bucket")).anyMatch(path -> path.startsWith("/ollama"));
        }
    }
}
