package io.mlestar.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/// A store in a bucket of S3, or of another server that speaks its language and honours conditional writes (`mlestar doctor` finds
/// out). The client is made when it is first needed.
public final class S3Store implements Store {
    private static final int LONGEST_REASON = 300;

    private final S3Settings settings;
    private final Supplier<S3Client> maker;
    private S3Client client;

    /// With credentials from the SDK's default chain.
    public S3Store(S3Settings settings) {
        this(settings, () -> DefaultCredentialsProvider.builder().build(), S3Clients.Patience.USUAL);
    }

    S3Store(S3Settings settings, Supplier<AwsCredentialsProvider> credentials, S3Clients.Patience patience) {
        this.settings = settings;
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
        return content.length > S3Create.PART ? create(key, new ByteArrayInputStream(content))
                : asked("write", key, () -> creation(key).small(content, content.length));
    }

    @Override
    public boolean create(String key, InputStream content) {
        try (content) {
            byte[] first = new byte[S3Create.PART];
            int length = content.readNBytes(first, 0, first.length);
            return asked("write", key, () -> length < first.length
                    ? creation(key).small(first, length) : creation(key).large(first, content));
        } catch (IOException e) {
            throw new StoreUnavailable("cannot write " + settings.address(key) + ": " + e, e);
        }
    }

    private S3Create creation(String key) {
        return new S3Create(client(), settings, settings.object(key), UUID.randomUUID().toString());
    }

    @Override
    public Optional<byte[]> read(String key) {
        GetObjectRequest request = GetObjectRequest.builder().bucket(settings.bucket()).key(settings.object(key)).build();
        return asked("read", key, () -> {
            try {
                return Optional.of(client().getObject(request, ResponseTransformer.toBytes()).asByteArrayUnsafe());
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public List<String> list(String folder) {
        String prefix = settings.object(folder.isEmpty() ? "" : folder + "/");
        ListObjectsV2Request request = ListObjectsV2Request.builder().bucket(settings.bucket()).prefix(prefix).delimiter("/").build();
        return asked("list", folder, () -> {
            List<String> names = new ArrayList<>();
            client().listObjectsV2Paginator(request).forEach(page -> {
                page.commonPrefixes().forEach(below -> names.add(below.prefix().substring(prefix.length())));
                page.contents().forEach(object -> names.add(object.key().substring(prefix.length())));
            });
            // Some programs mark a folder by an empty object of its name.
            names.remove("");
            Collections.sort(names);
            return names;
        });
    }

    @Override
    public String address(String key) {
        return settings.address(key);
    }

    /// What a call to the server may fail with, read errors of a given stream included.
    @FunctionalInterface
    private interface Call<T> {
        T ask() throws IOException;
    }

    private <T> T asked(String what, String key, Call<T> call) {
        try {
            return call.ask();
        } catch (SdkException | IOException e) {
            throw new StoreUnavailable("cannot " + what + " " + settings.address(key) + ": " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        String reason = e instanceof AwsServiceException refused && refused.awsErrorDetails() != null
                ? refused.statusCode() + " " + refused.awsErrorDetails().errorCode() + ": " + refused.awsErrorDetails().errorMessage()
                : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) + "…" : reason;
    }
}
