package io.mlestar.program;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What [RegisterForReflection] makes a native image keep: the types it names and those nested in them. Each is looked into, as the
/// compiler does: one that leans on a class that is not there fails a test here, not the build of the image.
public final class Registered {
    private Registered() {}

    /// @param list class that carries the annotation
    public static Set<Class<?>> by(Class<?> list) throws ClassNotFoundException {
        RegisterForReflection names = list.getAnnotation(RegisterForReflection.class);
        Stream.Builder<Class<?>> types = Stream.builder();
        Stream.of(names.targets()).forEach(types::add);
        for (String name : names.classNames()) {
            types.add(Class.forName(name));
        }
        return types.build().flatMap(Registered::withNested).peek(Class::getDeclaredMethods).collect(Collectors.toSet());
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses()).flatMap(Registered::withNested));
    }
}
