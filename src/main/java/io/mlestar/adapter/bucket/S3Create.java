package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Backoff;
import io.mlestar.core.store.StoreUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// One try to create one object.
///
/// The answer to a write can get lost; the SDK then sends the write again, and the server says that
/// the object exists. So each object carries the name of its writer, which says whose it is even if
/// two writers bring equal bytes.
///
/// @param object its name in the bucket
/// @param writer a name that no other try has
/// @param labels further metadata of the object
/// @param conflict pauses after a conflict with another writer
record S3Create(
        S3Client client,
        S3Settings settings,
        String object,
        String writer,
        Map<String, String> labels,
        Backoff conflict) {
    /// Bytes that are sent in one piece; larger content goes in parts of this size, at most ten
    /// thousand.
    static final int PART = 16 << 20;
    private static final Logger LOG = Logger.getLogger("mle_star.store");
    private static final String WRITER = "mlestar-writer";
    private static final String BYTES = "application/octet-stream";
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int EXISTS = 412;
    private static final int MOST_CONFLICTS = 10;

    S3Create {
        labels = new HashMap<>(labels);
        labels.put(WRITER, writer);
    }

    boolean small(byte[] content) {
        return won(() -> client.putObject(
                request -> request.bucket(settings.bucket())
                        .key(object)
                        .metadata(labels)
                        .ifNoneMatch("*"),
                body(content, content.length)));
    }

    /// @param first as many bytes as a part has
    /// @throws IOException if `rest` breaks off; then there is no object
    boolean large(byte[] first, InputStream rest) throws IOException {
        if (head() != null) {
            return false;
        }
        String upload = client
                .createMultipartUpload(
                        request -> request.bucket(settings.bucket()).key(object).metadata(labels))
                .uploadId();
        boolean won = false;
        try {
            List<CompletedPart> parts = new ArrayList<>();
            byte[] buffer = first;
            for (int length = buffer.length; length > 0; length =
                    rest.readNBytes(buffer, 0, buffer.length)) {
                int number = parts.size() + 1;
                String tag = client.uploadPart(request -> request.bucket(settings.bucket())
                        .key(object)
                        .uploadId(upload)
                        .partNumber(number), body(buffer, length)).eTag();
                parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            }
            won = won(() -> client
                    .completeMultipartUpload(request -> request.bucket(settings.bucket())
                            .key(object)
                            .uploadId(upload)
                            .ifNoneMatch("*")
                            .multipartUpload(all -> all.parts(parts))));
            return won;
        } finally {
            if (!won) {
                abandon(upload);
            }
        }
    }

    /// Abandoned parts cost money; a bucket should also have a rule that ends old uploads.
    private void abandon(String upload) {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(settings.bucket()).key(object).uploadId(upload));
        } catch (SdkException e) {
            LOG.debugf("the parts of an upload of %s are left behind: %s", object, e.getMessage());
        }
    }

    /// Writes, and finds out whether this writer created the object.
    private boolean won(Runnable write) {
        for (int conflicts = 1;; conflicts++) {
            try {
                write.run();
                return true;
            } catch (S3Exception e) {
                if (e.statusCode() == EXISTS || e.statusCode() == NOT_FOUND) {
                    // The server answers not found to the completion of an upload that is complete.
                    HeadObjectResponse there = head();
                    if (there != null) {
                        return writer.equals(there.metadata().get(WRITER));
                    }
                }
                if (e.statusCode() != CONFLICT || conflicts == MOST_CONFLICTS) {
                    throw e;
                }
                if (!Backoff.sleep(conflict.jittered(conflicts))) {
                    throw new StoreUnavailable("interrupted while writing " + object, e);
                }
            }
        }
    }

    private @Nullable HeadObjectResponse head() {
        try {
            return client.headObject(request -> request.bucket(settings.bucket()).key(object));
        } catch (NoSuchKeyException e) {
            return null;
        }
    }

    /// @param length how many bytes of `content` count
    private static RequestBody body(byte[] content, int length) {
        return RequestBody.fromContentProvider(() -> new ByteArrayInputStream(content, 0, length),
                length, BYTES);
    }
}
