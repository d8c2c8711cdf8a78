package io.mlestar;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.LookupCache;
import com.fasterxml.jackson.databind.util.TypeKey;
import module java.base;

/// Which types a mapper has written or read, from its own caches, and the classes above them, whose
/// fields they have: what a native image must keep for it.
public final class JacksonTrace {
    private JacksonTrace() {}

    /// @param holder class whose static field holds the mapper; it may be hidden
    public static Set<Class<?>> types(Class<?> holder, String field) throws ReflectiveOperationException {
        return types((ObjectMapper) value(null, holder, field));
    }

    private static Set<Class<?>> types(ObjectMapper mapper) throws ReflectiveOperationException {
        Set<Class<?>> types = new HashSet<>();
        Object written = value(value(mapper, "_serializerProvider"), "_serializerCache");
        ((LookupCache<?, ?>) value(written, "_sharedMap"))
                .contents((key, serializer) -> types.add(type((TypeKey) key)));
        Object read = value(value(mapper, "_deserializationContext"), "_cache");
        ((LookupCache<?, ?>) value(read, "_cachedDeserializers"))
                .contents((key, deserializer) -> types.add(((JavaType) key).getRawClass()));
        ((Map<?, ?>) value(mapper, "_rootDeserializers")).keySet()
                .forEach(key -> types.add(((JavaType) key).getRawClass()));
        return types.stream()
                .flatMap(type -> Stream.<Class<?>>iterate(type, above -> above != null, Class::getSuperclass))
                .collect(Collectors.toSet());
    }

    private static Class<?> type(TypeKey key) {
        return key.getRawType() != null ? key.getRawType() : key.getType().getRawClass();
    }

    private static Object value(Object owner, String field) throws ReflectiveOperationException {
        Class<?> declaring = Stream.<Class<?>>iterate(owner.getClass(), type -> type != null, Class::getSuperclass)
                .filter(type -> Stream.of(type.getDeclaredFields())
                        .anyMatch(declared -> declared.getName().equals(field)))
                .findFirst().orElseThrow(() -> new NoSuchFieldException(owner.getClass() + "." + field));
        return value(owner, declaring, field);
    }

    private static Object value(Object owner, Class<?> declaring, String name) throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }
}
