package io.mlestar.adapter.bucket;

import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.store.StoreUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/// A store in a bucket of S3, or of another server that speaks its language and honours conditional
/// writes (`mlestar doctor` finds out). The client is made when it is first needed.
public final class S3Store implements PrunableStore {

    private final S3Settings settings;
    private final S3Clients.Patience patience;
    private final Supplier<S3Client> maker;
    private @Nullable S3Client client;

    /// Takes credentials from the SDK's default chain.
    public S3Store(S3Settings settings) {
        this(settings, () -> DefaultCredentialsProvider.builder().build(),
                S3Clients.Patience.USUAL);
    }

    S3Store(
            S3Settings settings,
            Supplier<AwsCredentialsProvider> credentials,
            S3Clients.Patience patience) {
        this.settings = settings;
        this.patience = patience;
        this.maker = () -> S3Clients.open(settings, credentials.get(), patience);
    }

    private synchronized S3Client client() {
        if (client == null) {
            client = maker.get();
        }
        return client;
    }

    @Override
    public boolean create(String key, byte[] content) {
        return create(key, new ByteArrayInputStream(content));
    }

    @Override
    public boolean create(String key, InputStream content) {
        return create(key, content, Map.of());
    }

    /// @param labels metadata that the object carries
    boolean create(String key, InputStream content, Map<String, String> labels) {
        return asked("write", key, () -> {
            try (content) {
                byte[] first = content.readNBytes(S3Create.PART);
                S3Create creation = creation(key, labels);
                return first.length < S3Create.PART
                        ? creation.small(first)
                        : creation.large(first, content);
            }
        });
    }

    private S3Create creation(String key, Map<String, String> labels) {
        return new S3Create(client(), settings, settings.object(key), UUID.randomUUID().toString(),
                labels, patience.pauses().conflict());
    }

    /// The metadata of an object; empty if there is none.
    Optional<Map<String, String>> labels(String key) {
        return asked("look at", key, () -> {
            try {
                return Optional.of(client().headObject(
                        request -> request.bucket(settings.bucket()).key(settings.object(key)))
                        .metadata());
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            }
        });
    }

    /// An object, byte by byte.
    ///
    /// @param version only this one; empty is any
    /// @throws StoreUnavailable also if there is no such object
    InputStream open(String key, Optional<String> version) {
        return asked("read", key, () -> client().getObject(request -> {
            request.bucket(settings.bucket()).key(settings.object(key));
            version.ifPresent(request::ifMatch);
        }));
    }

    /// An object in a list.
    ///
    /// @param version changes with the content
    record ListedObject(String key, long size, String version) {}

    /// All objects, in all folders; what only marks a folder is left out.
    List<ListedObject> all() {
        return asked("list", "", () -> client().listObjectsV2Paginator(
                request -> request.bucket(settings.bucket()).prefix(settings.prefix()))
                .contents()
                .stream()
                .filter(object -> !object.key().endsWith("/"))
                .map(object -> new ListedObject(object.key().substring(settings.prefix().length()),
                        object.size(), object.eTag()))
                .toList());
    }

    @Override
    public Optional<byte[]> read(String key) {
        return asked("read", key, () -> {
            try {
                return Optional
                        .of(client()
                                .getObject(
                                        request -> request.bucket(settings.bucket())
                                                .key(settings.object(key)),
                                        ResponseTransformer.toBytes())
                                .asByteArrayUnsafe());
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public List<String> list(String folder) {
        String prefix = settings.object(folder.isEmpty() ? "" : folder + "/");
        return asked("list", folder, () -> {
            List<String> names = new ArrayList<>();
            client().listObjectsV2Paginator(
                    request -> request.bucket(settings.bucket()).prefix(prefix).delimiter("/"))
                    .forEach(page -> {
                        page.commonPrefixes()
                                .forEach(below -> names
                                        .add(below.prefix().substring(prefix.length())));
                        page.contents()
                                .forEach(object -> names
                                        .add(object.key().substring(prefix.length())));
                    });
            // Some programs mark a folder by an empty object of its name.
            names.remove("");
            Collections.sort(names);
            return names;
        });
    }

    @Override
    public void delete(String key) {
        asked("delete", key,
                () -> client().deleteObject(
                        request -> request.bucket(settings.bucket()).key(settings.object(key))));
    }

    @Override
    public String address(String key) {
        return settings.address(key);
    }

    /// A call to the server. It may also fail because a given stream cannot be read.
    @FunctionalInterface
    private interface Call<T> {
        T ask() throws IOException;
    }

    private <T> T asked(String what, String key, Call<T> call) {
        try {
            return call.ask();
        } catch (SdkException | IOException e) {
            throw new StoreUnavailable(
                    "cannot " + what + " " + settings.address(key) + ": " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        String reason =
                e instanceof AwsServiceException refused && refused.awsErrorDetails() != null
                        ? refused.statusCode() + " " + refused.awsErrorDetails().errorCode() + ": "
                                + refused.awsErrorDetails().errorMessage()
                        : String.valueOf(e.getMessage());
        if (reason.startsWith("Unable to load region")) {
            return "no region is known; set AWS_REGION";
        }
        // For credentials that are not found, the SDK lists all places where it looked: first the
        // settings of all, then some as the names of Java objects.
        return reason.strip()
                .replaceAll("\\s+", " ")
                .replaceFirst("in the chain AwsCredentialsProviderChain\\(.*?\\) : ", "")
                .replaceAll("software\\.amazon\\.[\\w.]+\\.(\\w+)@[0-9a-f]+", "$1");
    }
}
