package io.mlestar.adapter.bucket;

import io.mlestar.Waiting;
import io.mlestar.core.base.Backoff;
import module java.base;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.gaul.s3proxy.AccessGrant;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/// A real S3 server (s3proxy) on this machine, with objects in memory: in a test's process, or by
/// [#main] in a process of its own.
public final class S3Server implements AutoCloseable {
    public static final String ACCESS_KEY = "test-key";
    public static final String SECRET_KEY = "test-secret";
    public static final String BUCKET = "mlestar";

    /// Milliseconds: nothing gets better by itself here.
    static final S3Clients.RetryPauses PAUSES =
            new S3Clients.RetryPauses(BackoffStrategy.exponentialDelay(Duration.ofMillis(1), Duration.ofMillis(20)),
                    BackoffStrategy.exponentialDelay(Duration.ofMillis(1), Duration.ofMillis(20)),
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(20)));
    /// However busy the machine is.
    static final S3Clients.Patience PATIENT =
            new S3Clients.Patience(Waiting.MOST, Waiting.MOST, Waiting.MOST, Waiting.MOST, PAUSES);
    /// For tests of servers that fail: seconds instead of minutes.
    static final S3Clients.Patience PATIENCE = new S3Clients.Patience(Duration.ofSeconds(2), Duration.ofSeconds(1),
            Duration.ofSeconds(2), Duration.ofSeconds(10), PAUSES);

    private final S3Proxy proxy;
    private final URI endpoint;
    private volatile Set<String> keys = Set.of(ACCESS_KEY);

    private S3Server(S3Proxy proxy, URI endpoint, BlobStore objects) {
        this.proxy = proxy;
        this.endpoint = endpoint;
        proxy.setBlobStoreLocator((key, _, _) -> keys.contains(key) ? new AccessGrant(SECRET_KEY, objects) : null);
    }

    /// Starts it on any free port, with the empty bucket [#BUCKET].
    public static S3Server start() {
        return start(0);
    }

    public static S3Server start(int port) {
        // Jetty and s3proxy tell of every start and every refused request.
        Logger.getLogger("org.eclipse.jetty").setLevel(Level.SEVERE);
        Logger.getLogger("org.gaul.s3proxy").setLevel(Level.SEVERE);
        try {
            TransientNio2BlobStore objects = new TransientNio2BlobStore();
            objects.createContainer(BUCKET);
            S3Proxy proxy = S3Proxy.builder().blobStore(objects).endpoint(URI.create("http://127.0.0.1:" + port))
                    .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY).ignoreUnknownHeaders(true)
                    .build();
            proxy.start();
            return new S3Server(proxy, URI.create("http://127.0.0.1:" + proxy.getPort()), objects);
        } catch (Exception e) {
            throw new IllegalStateException("the S3 server did not start", e);
        }
    }

    /// These access keys are good from now on, and no others; the secret of all is [#SECRET_KEY].
    public void accept(String... good) {
        keys = Set.of(good);
    }

    public URI endpoint() {
        return endpoint;
    }

    /// The address of a store that nobody else uses.
    public String freshAddress() {
        return "s3://" + BUCKET + "/" + UUID.randomUUID();
    }

    /// The variables that a program needs in its environment to use this server.
    public Map<String, String> environment() {
        return environment(endpoint);
    }

    /// @param at where the server is reached, for tests that put something in between
    public static Map<String, String> environment(URI at) {
        return new HashMap<>(Map.of("AWS_ENDPOINT_URL_S3", at.toString(), "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", SECRET_KEY, "MLE_STAR_S3_PATH_STYLE",
                "true"));
    }

    /// A store on this server.
    public S3Store store(String address) {
        return store(address, endpoint, PATIENT);
    }

    static S3Store store(String address, URI at, S3Clients.Patience patience) {
        return new S3Store(S3Settings.of(address, environment(at)), () -> credentials(ACCESS_KEY, SECRET_KEY),
                patience);
    }

    static AwsCredentialsProvider credentials(String key, String secret) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(key, secret));
    }

    @Override
    public void close() {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the S3 server did not stop", e);
        }
    }

    /// `PORT [READY-FILE]`: serves until it is killed; 0 is any free port. Prints the endpoint, and
    /// writes it to the file.
    public static void main(String[] args) throws Exception {
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        S3Server server = start(args.length > 0 ? Integer.parseInt(args[0]) : 0);
        System.out.println(server.endpoint());
        if (args.length > 1) {
            Files.writeString(Path.of(args[1]), server.endpoint().toString());
        }
        Thread.currentThread().join();
    }
}
