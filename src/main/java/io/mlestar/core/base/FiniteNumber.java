package io.mlestar.core.base;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A number of JSON that can be reckoned with: Jackson takes the words NaN and Infinity for
/// numbers, too.
final class FiniteNumber extends NumberDeserializers.DoubleDeserializer {
    FiniteNumber(Class<Double> type, @Nullable Double none) {
        super(type, none);
    }

    @Override
    public @Nullable Double deserialize(JsonParser parser, DeserializationContext context)
            throws IOException {
        Double number = super.deserialize(parser, context);
        if (number != null && !Double.isFinite(number)) {
            throw InvalidFormatException.from(parser, "not a finite number", number, Double.class);
        }
        return number;
    }
}
