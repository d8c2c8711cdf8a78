package io.mlestar.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// An authority, a certificate that it gave to a server at 127.0.0.1, and an authority that gave none; made by the JDK's keytool.
///
/// @param authority its certificate, as PEM text
/// @param stranger that of the other one
public record Certificates(String authority, String stranger, SSLContext ofServer) {
    private static final String PASSWORD = "changeit";

    public static Certificates make(Path folder) throws Exception {
        for (String authority : List.of("authority", "stranger")) {
            keytool(folder, "authorities.p12", "-genkeypair", "-alias", authority, "-dname", "CN=" + authority, "-ext", "bc:c=ca:true");
        }
        keytool(folder, "server.p12", "-genkeypair", "-alias", "server", "-dname", "CN=broker-ingress");
        String request = keytool(folder, "server.p12", "-certreq", "-alias", "server");
        Path asked = Files.writeString(folder.resolve("server.csr"), request);
        String signed = keytool(folder, "authorities.p12", "-gencert", "-alias", "authority", "-rfc", "-ext", "san=ip:127.0.0.1", "-infile", asked.toString());
        String authority = keytool(folder, "authorities.p12", "-exportcert", "-rfc", "-alias", "authority");
        String stranger = keytool(folder, "authorities.p12", "-exportcert", "-rfc", "-alias", "stranger");
        Path chain = Files.writeString(folder.resolve("chain.pem"), signed + authority);
        keytool(folder, "server.p12", "-importcert", "-noprompt", "-alias", "server", "-file", chain.toString());
        return new Certificates(authority, stranger, context(folder.resolve("server.p12")));
    }

    private static String keytool(Path folder, String store, String command, String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // A moment each, of which the compiler and the collector would take half.
                "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", command,
                "-keystore", folder.resolve(store).toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        if (command.equals("-genkeypair")) {
            words.addAll(List.of("-keyalg", "EC"));
        }
        words.addAll(List.of(more));
        Path errors = folder.resolve("keytool.err");
        Process process = new ProcessBuilder(words).redirectError(errors.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
        if (process.waitFor() != 0) {
            throw new AssertionError(words + ": " + said + Files.readString(errors));
        }
        return said;
    }

    private static SSLContext context(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }
}
