package io.mlestar.core.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256, by which contents are named and checked.
public final class Sha256 {
    private Sha256() {}

    /// A digest to be fed piece by piece.
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// The first digits of a text's digest, by which it is known again.
    public static String digits(String text, int most) {
        return hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, most);
    }

    /// The digest's 64 hexadecimal digits.
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    /// The same of a content of any size. Closes the stream.
    public static String hex(InputStream content) throws IOException {
        try (DigestInputStream in = new DigestInputStream(content, digest())) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }
}
