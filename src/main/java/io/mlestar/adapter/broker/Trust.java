package io.mlestar.adapter.broker;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProxyRules;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The authorities whose certificates `https` servers may show, beside those that every Java
/// program trusts: for any server, those in the file that the operator names; for the broker, also
/// the authority of a cluster with transport encryption, which a SinkBinding puts into
/// `K_CA_CERTS`, as PEM text, and those of the administrator, in files of one folder
/// (knative/eventing, `pkg/apis/sources/v1/sinkbinding_lifecycle.go` and
/// `pkg/eventingtls/trust_bundle.go`).
public final class Trust {
    /// The folder in which a SinkBinding mounts the administrator's bundles.
    static final Path BUNDLES = Path.of("/knative-custom-certs");
    static final String VARIABLE = "K_CA_CERTS";
    /// Names a file of certificates in PEM.
    static final String FILE = "MLE_STAR_CA_FILE";
    /// The kind of store that is read without a password.
    private static final String KIND = "JKS";

    private Trust() {}

    /// Trusts the authorities in the file that `MLE_STAR_CA_FILE` names for all requests of this
    /// process, and lets proxies have their passwords. By properties that every client reads. A
    /// native image has no other way to authorities that it was not built with.
    ///
    /// @throws Invalid naming the variable and the file, if that holds no certificate or cannot be
    ///   read, or as [ProxyRules#of]
    public static void everywhere(Map<String, String> environment) {
        if (ProxyRules.of(environment)
                .byScheme()
                .values()
                .stream()
                .anyMatch(proxy -> proxy.credentials().isPresent())) {
            // The JDK would otherwise send no password where it asks for a tunnel.
            System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
        }
        store(environment).ifPresent(store -> {
            System.setProperty("javax.net.ssl.trustStore", store.toString());
            System.setProperty("javax.net.ssl.trustStoreType", KIND);
        });
    }

    /// @return a temporary file of all trusted authorities; empty if the operator names no file
    static Optional<Path> store(Map<String, String> environment) {
        String named = environment.getOrDefault(FILE, "");
        if (named.isBlank()) {
            return Optional.empty();
        }
        List<Certificate> own;
        try {
            own = certificates(FILE + " (" + named + ")", Files.readAllBytes(Path.of(named)));
        } catch (IOException | InvalidPathException e) {
            throw new Invalid(FILE + " names a file that cannot be read: " + named);
        }
        try {
            Path store = Files.createTempFile("mlestar-authorities", "");
            store.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(store)) {
                together(own, KIND).store(out, new char[0]);
            }
            return Optional.of(store);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(
                    "the authorities to trust cannot be kept in a temporary file", e);
        }
    }

    /// @return empty if nothing is trusted beside the usual
    /// @throws Invalid naming the variable or the file that holds no certificate
    static Optional<TrustOptions> of(Map<String, String> environment, Path bundles) {
        List<Certificate> own = new ArrayList<>();
        String told = environment.getOrDefault(VARIABLE, "");
        if (!told.isBlank()) {
            own.addAll(certificates(VARIABLE, told.getBytes(StandardCharsets.UTF_8)));
        }
        for (Path file : files(bundles)) {
            try {
                own.addAll(certificates(file.toString(), Files.readAllBytes(file)));
            } catch (IOException e) {
                throw new Invalid(
                        "the trust bundle " + file + " cannot be read: " + e.getMessage());
            }
        }
        if (own.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional
                    .of(TrustOptions.wrap(manager(together(own, KeyStore.getDefaultType()))));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java cannot keep certificates", e);
        }
    }

    /// Kubernetes shows each file by its name, and keeps the real ones in folders whose names begin
    /// with two dots.
    private static List<Path> files(Path bundles) {
        if (!Files.isDirectory(bundles)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(bundles)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new Invalid(
                    "the trust bundles in " + bundles + " cannot be listed: " + e.getMessage());
        }
    }

    private static List<Certificate> certificates(String origin, byte[] pem) {
        try {
            List<Certificate> read = List.copyOf(
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(pem)));
            if (!read.isEmpty()) {
                return read;
            }
        } catch (GeneralSecurityException e) {
            throw new Invalid(origin + " must hold certificates in PEM: " + e.getMessage());
        }
        throw new Invalid(origin + " must hold certificates in PEM, but holds none");
    }

    /// A store of the usual certificates and these.
    private static KeyStore together(List<Certificate> own, String kind)
            throws GeneralSecurityException, IOException {
        KeyStore all = KeyStore.getInstance(kind);
        all.load(null, null);
        int number = 0;
        for (Certificate one : Stream
                .concat(Stream.of(manager((KeyStore) null).getAcceptedIssuers()), own.stream())
                .toList()) {
            all.setCertificateEntry(Integer.toString(number++), one);
        }
        return all;
    }

    /// @param store null is the program's own
    private static X509TrustManager manager(@Nullable KeyStore store)
            throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Stream.of(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("no trust manager for X.509"));
    }
}
