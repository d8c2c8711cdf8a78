package io.mlestar;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// The message of a call that does not succeed.
public final class Refusal {
    private Refusal() {}

    /// The message of a call that refuses bad input.
    public static AbstractStringAssert<?> refusal(ThrowingCallable call) {
        return refusal(Invalid.class, call);
    }

    public static AbstractStringAssert<?> refusal(Class<? extends Throwable> type, ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(type).message();
    }
}
