package io.mlestar.app.program;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Checks every plain test: it fails if a type of the program becomes JSON that a native image
/// would not keep.
public final class JsonGuard implements LauncherSessionListener {
    private Set<Class<?>> kept;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        try {
            kept = Registered.all();
            for (Field field : Json.class.getDeclaredFields()) {
                if (field.getType() == JsonMapper.class) {
                    field.setAccessible(true);
                    ((JsonMapper) field.get(null)).registerModule(new SimpleModule("guard")
                            .setSerializerModifier(new Writing()).setDeserializerModifier(new Reading()));
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void check(BeanDescription bean) {
        Class<?> type = bean.getBeanClass();
        boolean ours = type.getName().startsWith("io.mlestar.")
                && type.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("/target/classes/");
        if (ours && !type.isInterface() && !kept.contains(type)) {
            throw new AssertionError(type + " becomes JSON, and a native image would not keep it: see NativeTypes");
        }
    }

    private final class Writing extends BeanSerializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonSerializer<?> modifySerializer(SerializationConfig config, BeanDescription bean,
                JsonSerializer<?> serializer) {
            check(bean);
            return serializer;
        }

        @Override
        public JsonSerializer<?> modifyEnumSerializer(SerializationConfig config, JavaType type, BeanDescription bean,
                JsonSerializer<?> serializer) {
            check(bean);
            return serializer;
        }
    }

    private final class Reading extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonDeserializer<?> modifyDeserializer(DeserializationConfig config, BeanDescription bean,
                JsonDeserializer<?> deserializer) {
            check(bean);
            return deserializer;
        }

        @Override
        public JsonDeserializer<?> modifyEnumDeserializer(DeserializationConfig config, JavaType type,
                BeanDescription bean,
                JsonDeserializer<?> deserializer) {
            check(bean);
            return deserializer;
        }
    }
}
