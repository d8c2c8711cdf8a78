package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.script.Sandboxes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether the trial notices what a wall lets through.
@Timeout(300)
class IsolationSelfTestTest {
    private static IsolationSelfTest of(Isolation isolation) {
        return IsolationSelfTest.of(isolation, Sandboxes.PYTHON);
    }

    private static IsolationSelfTest weakened(UnaryOperator<List<String>> weaker) {
        assumeTrue(of(Isolation.BUBBLEWRAP).works(), "there is no bubblewrap");
        return IsolationSelfTest.of(
                (enclosure, program) -> weaker.apply(Isolation.BUBBLEWRAP.command(enclosure, program)),
                Isolation.BUBBLEWRAP,
                Sandboxes.PYTHON);
    }

    private static List<String> replaced(List<String> command, List<String> words, List<String> by) {
        int at = Collections.indexOfSubList(command, words);
        assertThat(at).as("%s in %s", words, command).isNotNegative();
        List<String> changed = new ArrayList<>(command.subList(0, at));
        changed.addAll(by);
        changed.addAll(command.subList(at + words.size(), command.size()));
        return changed;
    }

    @Test
    void bubblewrapHoldsAndHasNothingToSay() {
        assumeTrue(of(Isolation.BUBBLEWRAP).works(), "there is no bubblewrap");
        assertThat(of(Isolation.BUBBLEWRAP)).isEqualTo(new IsolationSelfTest(true, Set.of()));
        assertThat(of(Isolation.BUBBLEWRAP).missing()).isEmpty();
    }

    @Test
    void aSessionIsNoWallAndThatIsSaid() {
        assertThat(of(Isolation.SESSION).works()).isTrue();
        assertThat(of(Isolation.SESSION).holds()).isFalse();
        assertThat(of(Isolation.SESSION).missing()).contains("use the network").contains("read the files")
                .contains("bubblewrap");
    }

    @ParameterizedTest
    @MethodSource("io.mlestar.adapter.script.Sandboxes#isolations")
    void noOtherWallLetsTheNetworkOrTheKeysThrough(Isolation isolation) {
        assumeTrue(isolation != Isolation.SESSION);
        assertThat(of(isolation).holds()).as(of(isolation).toString()).isTrue();
        assertThat(of(isolation).missing()).doesNotContain("network").doesNotContain("keys");
    }

    /// Bubblewrap without the starter, and with other words in place of some.
    private static IsolationSelfTest bare(List<String> without, List<String> with) {
        assumeTrue(of(Isolation.BUBBLEWRAP).works(), "there is no bubblewrap");
        return IsolationSelfTest.of((enclosure, program) -> {
            List<String> command = Isolation.BUBBLEWRAP.command(enclosure, program);
            List<String> bare = new ArrayList<>(replaced(command.subList(0, command.indexOf("-I") - 1), without, with));
            bare.set(bare.lastIndexOf("--chdir") + 1, enclosure.workspace().folder().toString());
            bare.remove("--disable-userns");
            bare.addAll(program);
            return bare;
        }, Isolation.BUBBLEWRAP, Sandboxes.PYTHON);
    }

    @Test
    void aProcess1ThatCanBeRewrittenIsNoticedAndWhatTheFilterHolds() {
        assertThat(bare(List.of("--as-pid-1"), List.of("--cap-add", "CAP_DAC_OVERRIDE"))).satisfies(open -> {
            assertThat(open.breaches()).contains(EscapeRoute.REWRITE, EscapeRoute.RIGHTS, EscapeRoute.FAMILIES,
                    EscapeRoute.NAMESPACES);
            assertThat(open.holds()).isFalse();
        });
    }

    @Test
    void aScriptThatKeepsTheRightsOfRootIsNoticed(@TempDir Path mine) throws Exception {
        assumeTrue(Files.getAttribute(mine, "unix:uid").equals(0), "not root");
        IsolationSelfTest open = bare(List.of("--cap-drop", "ALL"), List.of());
        assertThat(open.breaches()).contains(EscapeRoute.KERNEL);
        assertThat(open.holds()).isFalse();
    }

    @Test
    void anOpenNetworkIsNoticed() {
        IsolationSelfTest trial = weakened(
                command -> command.contains("--unshare-net") ? replaced(command, List.of("--unshare-net"), List.of())
                        : replaced(command, List.of("--unshare-all"), List.of("--unshare-all", "--share-net")));
        assertThat(trial.breaches()).containsExactly(EscapeRoute.NETWORK);
        assertThat(trial.holds()).isFalse();
    }

    @Test
    void openFilesAreNoticed() {
        IsolationSelfTest trial =
                weakened(command -> replaced(command, List.of("--remount-ro", "/dev"),
                        List.of("--bind", "/tmp", "/tmp", "--remount-ro", "/dev")));
        assertThat(trial.breaches()).contains(EscapeRoute.READ, EscapeRoute.CHANGE, EscapeRoute.SOCKETS);
        assertThat(trial.missing())
                .startsWith("scripts can read the files of this machine, change the files of this machine");
    }

    @Test
    void aWallThatDoesNotStandDoesNotHold() {
        assertThat(IsolationSelfTest
                .of((enclosure, program) -> List.of("/nowhere/wall"), Isolation.SESSION, Sandboxes.PYTHON).holds())
                .isFalse();
        assertThat(IsolationSelfTest.of((enclosure, program) -> List.of("false"), Isolation.SESSION, Sandboxes.PYTHON)
                .holds()).isFalse();
    }
}
