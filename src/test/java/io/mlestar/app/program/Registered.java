package io.mlestar.app.program;

import io.mlestar.adapter.model.provider.Protocol;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What [RegisterForReflection] makes a native image keep: the types it names and those nested in them. Each is looked into, as the
/// compiler does: one that leans on a class that is not there fails a test here, not the build of the image.
public final class Registered {
    private Registered() {}

    private static final Path CLASSES = Path.of("target/classes");

    /// @param list class that carries the annotation; if it registers hierarchies, all that are of the named types are meant
    public static Set<Class<?>> by(Class<?> list) throws ClassNotFoundException {
        RegisterForReflection names = list.getAnnotation(RegisterForReflection.class);
        Stream.Builder<Class<?>> types = Stream.builder();
        Stream.of(names.targets()).forEach(types::add);
        for (String name : names.classNames()) {
            types.add(Class.forName(name));
        }
        if (names.registerFullHierarchy()) {
            ours().filter(type -> Stream.of(names.targets()).anyMatch(above -> above.isAssignableFrom(type))).forEach(types::add);
        }
        return types.build().flatMap(Registered::withNested).peek(Class::getDeclaredMethods).collect(Collectors.toSet());
    }

    /// What a native image keeps of ours to write and read it as JSON.
    public static Set<Class<?>> asJson() throws ClassNotFoundException {
        Set<Class<?>> kept = by(NativeTypes.class);
        kept.addAll(by(NativeAgents.class));
        return kept;
    }

    /// What the files of the providers say that their clients write and read.
    public static Set<Class<?>> byProviders() throws ClassNotFoundException {
        Set<Class<?>> kept = by(Protocol.class);
        for (Protocol protocol : Protocol.values()) {
            if (protocol.provider().getClass().isAnnotationPresent(RegisterForReflection.class)) {
                kept.addAll(by(protocol.provider().getClass()));
            }
        }
        return kept;
    }

    private static Stream<Class<?>> ours() {
        try (Stream<Path> files = Files.walk(CLASSES.resolve("io/mlestar"))) {
            return files.map(file -> CLASSES.relativize(file).toString()).filter(name -> name.endsWith(".class")).toList().stream()
                    .map(name -> loaded(name.substring(0, name.length() - 6).replace('/', '.')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> loaded(String name) {
        try {
            return Class.forName(name, false, Registered.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses()).flatMap(Registered::withNested));
    }
}
