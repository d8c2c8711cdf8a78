package io.mlestar.core.base;

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

    /// The digest's 64 hexadecimal digits.
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }
}
