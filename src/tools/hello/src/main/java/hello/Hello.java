package hello;

import io.quarkus.funqy.Funq;

/// Answers a word, by HTTP or for a CloudEvent.
public final class Hello {
    @Funq("hello")
    public String hello() {
        return "hello";
    }
}
