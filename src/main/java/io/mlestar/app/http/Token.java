package io.mlestar.app.http;

import io.mlestar.core.base.Invalid;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The secret of a server's operator: requests that change something must show it.
public record Token(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~-]{16,200}");
    private static final int RANDOM_BYTES = 24;

    /// @throws Invalid if it could be guessed, or does not fit into an address
    public Token {
        if (!FORM.matcher(value).matches()) {
            throw new Invalid("MLE_STAR_TOKEN must be 16 to 200 letters, digits and . _ ~ -");
        }
    }

    /// The token that the operator set; empty if the server makes one.
    ///
    /// @throws Invalid if it cannot be used
    public static Optional<Token> given(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("MLE_STAR_TOKEN"))
                .filter(value -> !value.isEmpty())
                .map(Token::new);
    }

    static Token random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Token(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /// Compares in constant time.
    boolean is(String given) {
        return given != null && MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8),
                given.getBytes(StandardCharsets.UTF_8));
    }

    /// Keeps the token out of logs.
    @Override
    public String toString() {
        return "the token";
    }
}
