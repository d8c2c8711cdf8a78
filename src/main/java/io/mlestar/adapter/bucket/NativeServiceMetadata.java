package io.mlestar.adapter.bucket;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.ServiceMetadata;
import software.amazon.awssdk.regions.servicemetadata.EnhancedS3ServiceMetadata;
import software.amazon.awssdk.regions.servicemetadata.StsServiceMetadata;

/// Takes the place of the AWS SDK's table of services when a native program is built, and holds the
/// two that are used: the regions of three hundred others would weigh megabytes. On the JVM nothing
/// loads it.
@TargetClass(className = "software.amazon.awssdk.regions.GeneratedServiceMetadataProvider")
final class NativeServiceMetadata {
    /// Null lets the SDK make a name of the usual form.
    @Substitute
    public @Nullable ServiceMetadata serviceMetadata(String service) {
        return switch (service) {
            case "s3" -> new EnhancedS3ServiceMetadata();
            case "sts" -> new StsServiceMetadata();
            default -> null;
        };
    }
}
