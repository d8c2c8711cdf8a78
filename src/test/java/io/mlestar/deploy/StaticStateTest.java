package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.internal.RetryUtils;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.mlestar.core.base.Json;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.internal.http.HttpExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.sender.jdk.internal.JdkHttpSenderProvider;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import module java.base;
import org.apache.http.client.HttpClient;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sts.StsClient;

/// A native image runs static initialisers when it is built and keeps what they made. Random
/// numbers, threads, and the environment or clock of the build machine must not be kept: only
/// classes that the compiler initializes at run time may hold them. Quarkus lists those of the
/// libraries that it knows; this test searches the others.
class StaticStateTest {
    private static final List<String> AT_RUN_TIME =
            List.of("dev.langchain4j.internal.RetryUtils", "io.mlestar.adapter.script.Sandbox",
                    "io.opentelemetry.sdk.internal.AndroidFriendlyRandomHolder",
                    "io.opentelemetry.internal.shaded.jctools.util.PortableJvmInfo",
                    "software.amazon.awssdk.core.ResponseInputStream$TimeoutScheduler",
                    "software.amazon.awssdk.core.async.ResponsePublisher$TimeoutScheduler",
                    "org.apache.http.impl.auth.NTLMEngineImpl");
    /// Objects of these hold random numbers, and static fields hold such objects.
    private static final List<String> HELD =
            List.of("software.amazon.awssdk.core.retry.backoff.FullJitterBackoffStrategy",
                    "software.amazon.awssdk.utils.cache.CachedSupplier");

    /// A native image is told this by hand: all of it is there. That it suffices is for
    /// whole-program tests with the native program to say.
    private static final Path METADATA =
            Path.of("src/main/resources/META-INF/native-image/io.mlestar/mlestar/reachability-metadata.json");

    /// The classes to initialize at run time, as the compiler is told of them.
    static String atRunTime() {
        return Stream.concat(AT_RUN_TIME.stream(), HELD.stream()).collect(Collectors.joining(","));
    }

    private static final Pattern OF_THE_MOMENT =
            Pattern.compile("java/util/Random\\.<init>|java/security/SecureRandom\\.(<init>|getInstance)"
                    + "|java/util/SplittableRandom\\.<init>|java/util/UUID\\.randomUUID|java/lang/System\\.(getenv|getProperty|nanoTime|currentTimeMillis)"
                    + "|java/util/concurrent/Executors\\..*|java/lang/Thread\\.(<init>|ofPlatform|ofVirtual|start.*)|java/time/\\w+\\.now"
                    + "|java/time/ZoneId\\.systemDefault|java/nio/file/Files\\..*|java/net/http/HttpClient\\..*|java/lang/Runtime\\..*");

    private static Set<String> found(Path root) throws IOException {
        return found(root,
                method -> method.methodName().equalsString("<clinit>") && calls(method, OF_THE_MOMENT));
    }

    private static Set<String> found(Path root, Predicate<MethodModel> what) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
                if (model.methods().stream().anyMatch(what)) {
                    found.add(model.thisClass().asInternalName().replace('/', '.'));
                }
            }
        }
        return found;
    }

    private static boolean calls(MethodModel method, Pattern called) {
        return method.code().stream().flatMap(code -> code.elementStream()).filter(Instruction.class::isInstance)
                .anyMatch(instruction -> instruction instanceof InvokeInstruction call
                        && called.matcher(call.owner().asInternalName() + "." + call.name().stringValue())
                                .matches());
    }

    private static Path jar(Class<?> inside) {
        return Path.of(inside.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    @Test
    void noStateOfTheBuildMachineIsKept() throws IOException {
        Set<String> found = new TreeSet<>(found(Path.of("target/classes")));
        for (Class<?> library : List.of(RetryUtils.class, AnthropicChatModel.class, OpenAiChatModel.class,
                OllamaChatModel.class,
                picocli.CommandLine.class, OtlpHttpSpanExporter.class, HttpExporter.class, JdkHttpSenderProvider.class,
                AutoConfiguredOpenTelemetrySdk.class, SdkTracerProvider.class, Clock.class, OpenTelemetry.class,
                Context.class, S3Client.class, StsClient.class,
                SdkClient.class, AwsClient.class, AwsCredentialsProvider.class, Region.class, RetryStrategy.class,
                ApacheHttpClient.class, HttpClient.class)) {
            try (FileSystem files = FileSystems.newFileSystem(jar(library))) {
                found.addAll(found(files.getPath("/")));
            }
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(AT_RUN_TIME);
    }

    /// The functions' native program finds few encodings by name when it runs, and any when it is
    /// built.
    @Test
    void onlyTheCommandLineAsksForEncodingsByNameWhileItRuns() throws IOException {
        Pattern byName = Pattern.compile("java/nio/charset/Charset.forName");
        assertThat(found(Path.of("target/classes"),
                method -> !method.methodName().equalsString("<clinit>") && calls(method, byName))).isNotEmpty()
                .allMatch(name -> name.startsWith("io.mlestar.app.cli."));
    }

    private static JsonNode metadata() throws Exception {
        return Json.parse(Files.readAllBytes(METADATA));
    }

    @Test
    void everyTypeIsThereWithWhatIsCalledOfIt() throws Exception {
        assertThat(metadata().path("reflection")).isNotEmpty().allSatisfy(entry -> {
            Class<?> type =
                    Class.forName(entry.path("type").asText(), false, StaticStateTest.class.getClassLoader());
            assertThat(entry.path("methods")).isNotEmpty()
                    .allSatisfy(method -> assertThat(method.path("name").asText() + method.path("parameterTypes"))
                            .isEqualTo("<init>[]"));
            assertThat(type.getDeclaredConstructor()).isNotNull();
        });
    }

    /// Missing texts would end in another exception than the one that they are for.
    @Test
    void everyBundleIsThere() throws Exception {
        FileSystem modules = FileSystems.getFileSystem(URI.create("jrt:/"));
        assertThat(metadata().path("resources").findValuesAsText("bundle")).isNotEmpty()
                .allSatisfy(bundle -> assertThat(modules.getPath("modules", bundle.replaceFirst(":.*", ""),
                        bundle.replaceFirst(".*:", "").replace('.', '/') + ".properties")).exists());
    }
}
