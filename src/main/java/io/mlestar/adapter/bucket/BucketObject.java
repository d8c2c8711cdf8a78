package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.StoreUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// One object of a bucket, read whole: what an event only names, since brokers take a megabyte at
/// most.
///
/// @param buckets opens a bucket by its address
public record BucketObject(Function<String, S3Store> buckets) {
    /// The limit of a request to the program holds here, too.
    private static final int LARGEST = 4 << 20;

    /// Opens buckets by the S3 settings of the environment, which are as for a store.
    public static BucketObject by(Map<String, String> environment) {
        return new BucketObject(bucket -> new S3Store(S3Settings.of(bucket, environment)));
    }

    /// @param field that holds the address, for what is said about it
    /// @param address `s3://bucket/key`
    /// @throws Invalid if it is no address of an object, or the object is not there or too large
    /// @throws StoreUnavailable if it cannot be read now
    public byte[] read(String field, String address) {
        int slash = address.indexOf('/', "s3://".length());
        if (!address.startsWith("s3://") || slash < 0 || slash == address.length() - 1) {
            throw new Invalid(field + " must be s3://BUCKET/KEY, but is \"" + address + "\"");
        }
        S3Store bucket = buckets.apply(address.substring(0, slash));
        String key = address.substring(slash + 1);
        boolean there;
        try {
            there = bucket.labels(key).isPresent();
        } catch (IllegalArgumentException e) {
            throw new Invalid(field + " must be s3://BUCKET/KEY, but is \"" + address + "\"");
        }
        if (!there) {
            throw new Invalid(field + ": there is no object " + address);
        }
        try (InputStream content = bucket.open(key, Optional.empty())) {
            byte[] read = content.readNBytes(LARGEST + 1);
            if (read.length > LARGEST) {
                throw new Invalid(
                        field + ": " + address + " must have at most " + LARGEST + " bytes");
            }
            return read;
        } catch (IOException e) {
            throw new StoreUnavailable("cannot read " + address + ": " + e, e);
        }
    }
}
