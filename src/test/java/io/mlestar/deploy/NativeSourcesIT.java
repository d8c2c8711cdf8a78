package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.app.cli.Mlestar;
import io.mlestar.app.program.Registered;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import picocli.CommandLine;

/// The input that GraalVM's compiler would be given: everything but its own work.
/// `make native-sources` and `make test-deployed` make it.
@Tag("deployed")
@EnabledIfSystemProperty(named = "native.sources", matches = ".+")
class NativeSourcesIT {
    private static final Path SOURCES = Path.of(System.getProperty("native.sources", "target/native-sources"));
    private static final Path CLASSES = Path.of("target/classes");
    private static final String SERVICES = "META-INF/services/";

    private static JsonNode config(String name) throws IOException {
        try (JarFile jar = new JarFile(SOURCES.resolve("mlestar-runner.jar").toFile());
                InputStream in = jar.getInputStream(jar.getEntry("META-INF/native-image/" + name))) {
            return Json.parse(in.readAllBytes());
        }
    }

    private static Map<String, JsonNode> kept(String config) throws IOException {
        Map<String, JsonNode> kept = new TreeMap<>();
        config(config).forEach(type -> kept.put(type.path("name").asText(), type));
        return kept;
    }

    @Test
    void everyTypeThatIsJsonIsKeptWhole() throws Exception {
        Map<String, JsonNode> kept = kept("reflect-config.json");
        Set<Class<?>> named = Registered.all();
        named.addAll(Registered.byProviders());
        assertThat(named).hasSizeGreaterThan(100).allSatisfy(type -> {
            assertThat(kept).containsKey(type.getName());
            for (String part : List.of("allDeclaredConstructors", "allDeclaredMethods", "allDeclaredFields")) {
                assertThat(kept.get(type.getName()).path(part).asBoolean()).as(type.getName() + ": " + part).isTrue();
            }
        });
    }

    @Test
    void everyCommandIsKept() throws Exception {
        Set<String> commands = new TreeSet<>();
        walk(Mlestar.program(), commands);
        assertThat(kept("picocli-generated/io.mlestar/mlestar/reflect-config.json").keySet()).hasSizeGreaterThan(8)
                .containsAll(commands);
    }

    private static void walk(CommandLine command, Set<String> classes) {
        Object user = command.getCommandSpec().userObject();
        if (user.getClass().getName().startsWith("io.mlestar.")) {
            classes.add(user.getClass().getName());
        }
        command.getCommandSpec().mixins().values()
                .forEach(mixin -> classes.add(mixin.userObject().getClass().getName()));
        classes.removeIf(name -> name.startsWith("picocli."));
        command.getSubcommands().values().forEach(sub -> walk(sub, classes));
    }

    @Test
    void everyFileThatTheProgramReadsOfItselfIsKept() throws Exception {
        List<String> patterns =
                config("resource-config.json").path("resources").path("includes").findValuesAsText("pattern");
        try (Stream<Path> files = Files.walk(CLASSES)) {
            List<String> resources = files.filter(Files::isRegularFile).map(file -> CLASSES.relativize(file).toString())
                    .filter(name -> !name.endsWith(".class") && !name.startsWith("META-INF/native-image/")
                            && !name.equals("application.properties"))
                    .toList();
            assertThat(resources).hasSizeGreaterThan(30)
                    .allSatisfy(name -> assertThat(patterns).as(name).anyMatch(pattern -> name.matches(pattern)));
        }
    }

    /// A native image finds listed services only. A service that a new version of a library brings
    /// is in neither list.
    @Test
    void everyServiceOfALibraryIsKeptOrKnownToBeOfNoUse() throws Exception {
        List<String> patterns =
                config("resource-config.json").path("resources").path("includes").findValuesAsText("pattern");
        Set<String> found = new TreeSet<>();
        try (Stream<Path> jars = Files.list(SOURCES.resolve("lib"))) {
            for (Path file : jars.filter(path -> path.toString().endsWith(".jar")).toList()) {
                try (JarFile jar = new JarFile(file.toFile())) {
                    jar.stream()
                            .filter(entry -> entry.getName().startsWith(SERVICES) && !entry.isDirectory()
                                    && provides(jar, entry))
                            .forEach(entry -> found.add(entry.getName()));
                }
            }
        }
        Set<String> needless = Files.readAllLines(Path.of("src/test/resources/needless-services.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#")).map(SERVICES::concat)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).hasSizeGreaterThan(30);
        found.removeIf(service -> patterns.stream().anyMatch(service::matches));
        assertThat(found).containsExactlyInAnyOrderElementsOf(needless);
    }

    private static boolean provides(JarFile jar, JarEntry services) {
        try (InputStream in = jar.getInputStream(services)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .anyMatch(line -> !line.replaceFirst("#.*", "").isBlank());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theCompilerGetsTheClassesToInitializeAtRunTime() throws Exception {
        Set<String> arguments = Stream.of(Files.readString(SOURCES.resolve("native-image.args")).split("\\s+"))
                .collect(Collectors.toSet());
        assertThat(arguments)
                .contains("--no-fallback", "-Os", "-H:+AddAllCharsets",
                        "--initialize-at-run-time=" + StaticStateTest.atRunTime())
                .anySatisfy(argument -> assertThat(argument).startsWith("--enable-url-protocols=").contains("https"));
    }
}
