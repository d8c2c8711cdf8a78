package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Backoff;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.http.apache.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/// Makes S3 clients with timeouts.
final class S3Clients {
    /// Timeouts of a server, and the pauses after its failures.
    ///
    /// @param silence between two packets
    /// @param attempt for one try of a call, the content of up to some hundred megabytes included
    /// @param call for all tries
    /// @param pauses between them
    record Patience(
            Duration connect,
            Duration silence,
            Duration attempt,
            Duration call,
            RetryPauses pauses) {
        static final Patience USUAL = new Patience(Duration.ofSeconds(5), Duration.ofSeconds(20),
                Duration.ofSeconds(60), Duration.ofMinutes(3), RetryPauses.USUAL);
    }

    /// Pauses between two attempts.
    ///
    /// @param failed after one that failed
    /// @param busy after one that the server was too busy for
    /// @param conflict after a conflict with another writer
    record RetryPauses(BackoffStrategy failed, BackoffStrategy busy, Backoff conflict) {
        /// The pauses of AWS's standard retries, each by chance anything up to its limit.
        static final RetryPauses USUAL =
                new RetryPauses(
                        BackoffStrategy.exponentialDelay(Duration.ofMillis(100),
                                Duration.ofSeconds(20)),
                        BackoffStrategy.exponentialDelay(Duration.ofSeconds(1),
                                Duration.ofSeconds(20)),
                        new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2)));
    }

    private static final int MOST_ATTEMPTS = 5;
    private static final int MOST_CONNECTIONS = 128;

    private S3Clients() {}

    static S3Client open(
            S3Settings settings,
            AwsCredentialsProvider credentials,
            Patience patience) {
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(credentials)
                // The Apache client: with the JDK's URLConnection stalls of half a minute were
                // seen.
                .httpClientBuilder(
                        ApacheHttpClient.builder()
                                .expectContinueEnabled(false)
                                .maxConnections(MOST_CONNECTIONS)
                                .connectionTimeout(patience.connect())
                                .socketTimeout(patience.silence())
                                .proxyConfiguration(proxy(settings)))
                .overrideConfiguration(all -> all.apiCallAttemptTimeout(patience.attempt())
                        .apiCallTimeout(patience.call())
                        .addExecutionInterceptor(new AtOnce())
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy()
                                .toBuilder()
                                .maxAttempts(MOST_ATTEMPTS)
                                .backoffStrategy(patience.pauses().failed())
                                .throttlingBackoffStrategy(patience.pauses().busy())
                                .retryOnException(S3Clients::cutShort)
                                .build()));
        settings.region().ifPresent(region -> builder.region(Region.of(region)));
        settings.endpoint().ifPresent(endpoint -> {
            builder.endpointOverride(endpoint);
            // Other servers than AWS seldom know trailing checksums.
            builder.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                    .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        });
        builder.serviceConfiguration(S3Configuration.builder()
                .pathStyleAccessEnabled(settings.pathStyle())
                .chunkedEncodingEnabled(settings.endpoint().isEmpty())
                .build());
        return builder.build();
    }

    /// The SDK's own reading of the environment knows neither lower case nor ports.
    private static ProxyConfiguration proxy(S3Settings settings) {
        ProxyConfiguration.Builder builder =
                ProxyConfiguration.builder()
                        .useSystemPropertyValues(false)
                        .useEnvironmentVariableValues(false);
        settings.proxy().ifPresent(proxy -> {
            builder.endpoint(proxy.address());
            proxy.credentials()
                    .map(each -> each.split(":", 2))
                    .ifPresent(each -> builder.username(each[0])
                            .password(each.length > 1 ? each[1] : "")
                            .preemptiveBasicAuthenticationEnabled(true));
        });
        return builder.build();
    }

    /// An answer that broke off inside its XML; the SDK knows no name for it.
    private static boolean cutShort(Throwable failure) {
        return failure instanceof SdkClientException
                && String.valueOf(failure.getMessage()).startsWith("Could not parse XML");
    }

    /// Sends content without asking first whether it is wanted (`Expect: 100-continue`), which
    /// costs each object a round trip.
    private static final class AtOnce implements ExecutionInterceptor {
        @Override
        public SdkHttpRequest modifyHttpRequest(
                Context.ModifyHttpRequest context,
                ExecutionAttributes attributes) {
            return context.httpRequest().toBuilder().removeHeader("Expect").build();
        }
    }
}
