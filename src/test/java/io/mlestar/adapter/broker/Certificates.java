package io.mlestar.adapter.broker;

import module java.base;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// An authority, a certificate that it gave to a server at 127.0.0.1, and an authority that gave
/// none; made by the JDK's keytool.
///
/// @param authority its certificate, as PEM text
/// @param stranger that of the other one
public record Certificates(String authority, String stranger, SSLContext ofServer) {
    private static final String PASSWORD = "changeit";

    public static Certificates make(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        for (String authority : List.of("authority", "stranger")) {
            makeKey(file, authority, "-ext", "bc:c=ca:true");
        }
        makeKey(file, "server", "-signer", "authority", "-ext", "san=ip:127.0.0.1");
        KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        return new Certificates(pem(keys.getCertificate("authority")), pem(keys.getCertificate("stranger")),
                context(keys));
    }

    private static void makeKey(Path file, String name, String... more) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        // A moment, of which the second compiler and the collector would take half.
                        "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", name, "-dname",
                        "CN=" + name, "-keyalg", "EC",
                        "-keystore", file.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        words.addAll(List.of(more));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (process.waitFor() != 0) {
            throw new AssertionError(words + ": " + said);
        }
    }

    private static String pem(Certificate certificate) throws CertificateEncodingException {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    /// A context of the server's key alone: with the others beside it any might be shown.
    private static SSLContext context(KeyStore keys) throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry("server", keys.getKey("server", PASSWORD.toCharArray()), PASSWORD.toCharArray(),
                keys.getCertificateChain("server"));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(own, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }
}
