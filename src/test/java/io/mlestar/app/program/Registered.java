package io.mlestar.app.program;

import io.mlestar.adapter.model.provider.Protocol;
import io.quarkus.runtime.annotations.RegisterForReflection;
import module java.base;

/// The types that [RegisterForReflection] makes a native image keep: the annotated ones, or those
/// that the annotation names, the types nested in them and, if it says so, all that these hold.
/// Each is looked into, as the compiler does: one that leans on a class that is not there fails a
/// test here, not the build of the image.
public final class Registered {
    private Registered() {}

    private static final Path CLASSES = Path.of("target/classes");
    static final Set<Class<?>> PROGRAM = program();

    /// @param annotated stands for itself if it names no other types
    public static Set<Class<?>> by(Class<?> annotated) throws ClassNotFoundException {
        RegisterForReflection names = annotated.getAnnotation(RegisterForReflection.class);
        Stream.Builder<Class<?>> types = Stream.builder();
        Stream.of(names.targets()).forEach(types::add);
        for (String name : names.classNames()) {
            types.add(Class.forName(name));
        }
        if (names.targets().length == 0 && names.classNames().length == 0) {
            types.add(annotated);
        }
        Set<Class<?>> kept =
                types.build().flatMap(Registered::withNested).collect(Collectors.toCollection(HashSet::new));
        if (names.registerFullHierarchy()) {
            Set<Class<?>> reached = new HashSet<>();
            kept.forEach(type -> reach(type, reached));
            kept.addAll(reached);
        }
        kept.forEach(Class::getDeclaredMethods);
        return kept;
    }

    /// Adds a type of the program, all types of its fields, and those that implement it.
    static void reach(Type type, Set<Class<?>> reached) {
        switch (type) {
            case Class<?> one when PROGRAM.contains(one) && reached.add(one) -> {
                Stream.of(one.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers()))
                        .forEach(field -> reach(field.getGenericType(), reached));
                PROGRAM.stream().filter(other -> other != one && one.isAssignableFrom(other))
                        .forEach(other -> reach(other, reached));
            }
            case ParameterizedType of -> Stream.of(of.getActualTypeArguments()).forEach(part -> reach(part, reached));
            default -> {}
        }
    }

    /// All that a native image keeps of the program.
    public static Set<Class<?>> all() throws ClassNotFoundException {
        Set<Class<?>> kept = new HashSet<>();
        for (Class<?> type : PROGRAM.stream().filter(type -> type.isAnnotationPresent(RegisterForReflection.class))
                .toList()) {
            kept.addAll(by(type));
        }
        return kept;
    }

    /// The types that the clients of the providers write and read, as the providers' files say.
    public static Set<Class<?>> byProviders() throws ClassNotFoundException {
        Set<Class<?>> kept = by(Protocol.class);
        for (Protocol protocol : Protocol.values()) {
            if (protocol.provider().getClass().isAnnotationPresent(RegisterForReflection.class)) {
                kept.addAll(by(protocol.provider().getClass()));
            }
        }
        return kept;
    }

    private static Set<Class<?>> program() {
        try (Stream<Path> files = Files.walk(CLASSES.resolve("io/mlestar"))) {
            return files.map(file -> CLASSES.relativize(file).toString()).filter(name -> name.endsWith(".class"))
                    .map(name -> loaded(name.substring(0, name.length() - 6).replace('/', '.')))
                    .collect(Collectors.toSet());
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
