package io.mlestar.core.base;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The variables that name a proxy, as other programs read them.
class ProxyRulesTest {
    private static final Map<String, String> BOTH =
            Map.of("HTTP_PROXY", "http://plain:3128", "HTTPS_PROXY", "http://secure:3129");

    private static String proxy(Map<String, String> environment, String address) {
        return ProxyRules.of(environment).of(URI.create(address)).map(ProxyRules.ProxyServer::host).orElse("none");
    }

    @ParameterizedTest
    @CsvSource({"http://a.example/x, plain", "https://a.example, secure", "HTTPS://a.example, secure",
        "http://localhost:8000, none",
        "http://x.localhost, none",
        "https://127.0.0.1, none", "https://127.9.9.9:8443, none", "http://[::1]:80/, none", "http://0.0.0.0, none",
        "http://10.0.0.1, plain"})
    void eachSchemeHasItsProxyAndThisMachineNone(String address, String proxy) {
        assertThat(proxy(BOTH, address)).isEqualTo(proxy);
        assertThat(proxy(Map.of(), address)).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/no-proxy.csv", delimiter = '|', numLinesToSkip = 1)
    void whatIsListedIsAskedDirectly(String direct, String address, boolean isDirect) {
        for (String name : new String[] {"NO_PROXY", "no_proxy"}) {
            Map<String, String> environment = Map.of("HTTP_PROXY", "p", "HTTPS_PROXY", "p", name, direct);
            assertThat(proxy(environment, address)).as(name).isEqualTo(isDirect ? "none" : "p");
        }
    }

    @Test
    void namesInLowerCaseGoFirst() {
        assertThat(proxy(Map.of("HTTPS_PROXY", "http://upper", "https_proxy", "http://lower"), "https://a.example"))
                .isEqualTo("lower");
        assertThat(proxy(Map.of("HTTPS_PROXY", "http://upper", "https_proxy", " "), "https://a.example"))
                .isEqualTo("upper");
    }

    @Test
    void userAndPasswordAreSentAndNotShown() {
        ProxyRules.ProxyServer proxy = ProxyRules.of(Map.of("https_proxy", "u:p%40+s@proxy:3128"))
                .of(URI.create("https://a.example")).orElseThrow();
        assertThat(proxy.credentials()).contains("u:p@+s");
        assertThat(proxy.authorization()).contains("Basic dTpwQCtz");
        assertThat(proxy).hasToString("the proxy http://proxy:3128 (https_proxy)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://u:secret@proxy:3128", "socks5://secret:1080", "http://", "http://u:secret@pro xy"})
    void whatIsNoAddressOfAProxyIsRefusedWithoutItsPassword(String value) {
        refusal(() -> ProxyRules.of(Map.of("HTTPS_PROXY", value))).startsWith("HTTPS_PROXY must be")
                .doesNotContain("secret");
    }
}
