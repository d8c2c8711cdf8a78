package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class WeightsTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderThatIsNamedIsTakenWithoutItsLinks() throws Exception {
        Path real = Files.createDirectories(folder.resolve("real")).toRealPath();
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThat(Weights.of(Map.of("MLE_STAR_WEIGHTS", link + "/"))).isEqualTo(new Weights(List.of(real)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void whoNamesNoneGetsNone(String named) {
        assertThat(Weights.of(Map.of("MLE_STAR_WEIGHTS", named))).isEqualTo(Weights.NONE);
        assertThat(Weights.of(Map.of())).isEqualTo(Weights.NONE);
        assertThat(Weights.NONE.environment(folder, false)).isEmpty();
        assertThat(Weights.NONE.environment(folder, true)).containsOnlyKeys("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
                "HF_DATASETS_OFFLINE");
    }

    /// The whole machine is nobody's folder of models.
    @ParameterizedTest
    @ValueSource(strings = {"/no/such/folder", "/dev/null", "/"})
    void whatIsNoFolderIsRefusedByName(String named) {
        assertThatThrownBy(() -> Weights.of(Map.of("MLE_STAR_WEIGHTS", named))).isInstanceOf(Invalid.class)
                .hasMessage("MLE_STAR_WEIGHTS names \"" + named
                        + "\", which is no folder with pretrained models; name one, or none");
    }

    /// By the link, the next script's program would write somewhere else, as whoever runs it.
    @Test
    void whatAnEarlierScriptPutInPlaceOfItsHomeIsNotWrittenTo() throws Exception {
        Files.createDirectories(folder.resolve("weights/keras/models"));
        Weights weights = new Weights(List.of(folder.resolve("weights").toRealPath()));
        Sandbox plain = Sandboxes.of(Isolation.SESSION);
        Sandbox sandbox = new Sandbox(plain.python(), Isolation.SESSION, plain.machine(), 1, Optional.empty(), weights);
        Workspace workspace = Sandboxes.workspace(folder);
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Sandboxes.run(sandbox, workspace, Sandboxes.AMPLE,
                "import os, shutil; shutil.rmtree('.home'); os.symlink('" + elsewhere + "', '.home')");
        assertThat(workspace.folder().resolve(".home")).isSymbolicLink();
        Sandboxes.run(sandbox, workspace, Sandboxes.AMPLE, "print(1)");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("io.mlestar.adapter.script.Sandboxes#isolations")
    @Requirement("REQ-EX-004")
    void aScriptReadsThemByTheLibrariesOwnVariablesAndHasAFolderForWhatLibrariesWrite(Isolation isolation)
            throws Exception {
        Path weights = Files.createDirectories(folder.resolve("weights/torch/hub/checkpoints")).resolve("../../..")
                .toRealPath();
        Files.writeString(weights.resolve("torch/hub/checkpoints/tiny.pth"), "x");
        Files.writeString(weights.resolve("torch/hub/trusted_list"), "somebody\n");
        Files.writeString(Files.createDirectories(weights.resolve("keras/models")).resolve("tiny.keras"), "y");
        Sandbox plain = Sandboxes.of(isolation);
        Sandbox sandbox = new Sandbox(plain.python(), isolation, plain.machine(), 1, Optional.empty(),
                new Weights(List.of(weights)));
        Sandbox.Raw raw = Sandboxes.run(sandbox, folder, Sandboxes.AMPLE,
                """
                        import json, os
                        found = {name: value for name, value in os.environ.items() if name.split('_')[0] in ('HF', 'TORCH', 'KERAS', 'TRANSFORMERS')}
                        torch, keras = os.environ['TORCH_HOME'] + '/hub', os.environ['KERAS_HOME']
                        found['read'] = open(torch + '/checkpoints/tiny.pth').read() + open(keras + '/models/tiny.keras').read()
                        # torch.hub notes whom it trusts; Keras looks elsewhere if it may not write here.
                        open(torch + '/trusted_list', 'a').write('somebody else')
                        found['trusts'] = open(torch + '/trusted_list').read()
                        found['may write'] = os.access(keras, os.W_OK)
                        os.makedirs(os.environ['HF_DATASETS_CACHE'])
                        os.makedirs(os.environ['HF_MODULES_CACHE'])
                        print(json.dumps(found))
                        """);
        assertThat(raw.exitCode()).as(raw.stderr()).isZero();
        JsonNode found = Json.parse(raw.stdout());
        assertThat(found.path("read").asText()).isEqualTo("xy");
        assertThat(found.path("trusts").asText()).isEqualTo("somebody\nsomebody else");
        assertThat(found.path("may write").asBoolean()).isTrue();
        assertThat(weights.resolve("torch/hub/trusted_list")).hasContent("somebody\n");
        assertThat(found.path("HF_HOME").asText()).isEqualTo(weights + "/huggingface");
        assertThat(found.path("KERAS_HOME").asText()).endsWith("/.home/keras");
        assertThat(List.of("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"))
                .allSatisfy(offline -> assertThat(found.path(offline).asText()).isEqualTo("1"));
    }
}
