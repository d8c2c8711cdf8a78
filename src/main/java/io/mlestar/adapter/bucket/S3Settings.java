package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProxyRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The address of an S3 store, and how to reach its server.
///
/// @param prefix what all keys begin with: empty, or names that each end with `/`
/// @param region empty leaves it to the SDK's chain (profile, instance)
/// @param endpoint empty is AWS
/// @param pathStyle whether the bucket stands in the path instead of the host name
public record S3Settings(
        String bucket,
        String prefix,
        Optional<String> region,
        Optional<URI> endpoint,
        boolean pathStyle,
        ProxyRules proxies) {
    /// Servers of one's own rarely ask for a region, but a signature needs one.
    private static final String ANY_REGION = "us-east-1";

    /// Reads the address, and the variables `AWS_REGION`, `AWS_ENDPOINT_URL_S3` or
    /// `AWS_ENDPOINT_URL`, and `MLE_STAR_S3_PATH_STYLE`. Credentials are the SDK's business: its
    /// default chain finds them in the environment, a web identity, mounted files, or the instance.
    ///
    /// @param address `s3://bucket` or `s3://bucket/prefix`
    /// @throws Invalid if one of them makes no sense
    public static S3Settings of(String address, Map<String, String> environment) {
        String[] parts = address.replaceFirst("^s3://", "").replaceFirst("/+$", "").split("/+", 2);
        if (!address.startsWith("s3://") || !parts[0].matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
            throw new Invalid(
                    "store \"" + address + "\" must be s3://BUCKET or s3://BUCKET/PREFIX");
        }
        String prefix = parts.length == 1 ? "" : parts[1].replaceAll("/+", "/") + "/";
        Optional<URI> endpoint = said(environment, "AWS_ENDPOINT_URL_S3")
                .or(() -> said(environment, "AWS_ENDPOINT_URL"))
                .map(S3Settings::uri);
        boolean pathStyle =
                switch (said(environment, "MLE_STAR_S3_PATH_STYLE")
                        .orElse(endpoint.isPresent() ? "true" : "false")) {
                    case "true" -> true;
                    case "false" -> false;
                    case String other ->
                        throw new Invalid("MLE_STAR_S3_PATH_STYLE must be true or false, but is \""
                                + other + "\"");
                };
        Optional<String> region =
                said(environment, "AWS_REGION").or(() -> endpoint.map(uri -> ANY_REGION));
        return new S3Settings(parts[0], prefix, region, endpoint, pathStyle,
                ProxyRules.of(environment));
    }

    private static Optional<String> said(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty));
    }

    private static URI uri(String endpoint) {
        try {
            URI uri = new URI(endpoint);
            if (uri.getHost() != null
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw new Invalid(
                "the S3 endpoint must be an http or https address, but is \"" + endpoint + "\"");
    }

    /// The proxy on the way to the server; empty if there is none.
    Optional<ProxyRules.ProxyServer> proxy() {
        String usual = "https://" + bucket + ".s3." + region.map(name -> name + ".").orElse("")
                + "amazonaws.com";
        return proxies.of(endpoint.orElse(URI.create(usual)));
    }

    /// The name that an object has in the bucket.
    ///
    /// @throws IllegalArgumentException if the key leads out of the prefix
    String object(String key) {
        if (key.startsWith("/") || ("/" + key + "/").contains("/../")
                || ("/" + key + "/").contains("/./")) {
            throw new IllegalArgumentException("the key " + key + " leads out of the store");
        }
        return prefix + key;
    }

    String address(String key) {
        return "s3://" + bucket + "/" + object(key);
    }
}
