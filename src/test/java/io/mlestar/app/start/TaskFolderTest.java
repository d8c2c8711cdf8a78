package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tasks that the pages may start runs of.
class TaskFolderTest {
    @TempDir
    private Path folder;

    private Path tasks;

    @BeforeEach
    void make() throws IOException {
        tasks = Files.createDirectories(folder.resolve("tasks"));
        for (String name : new String[] {"tasks/shop.task.yaml", "tasks/birds/task.json",
            "tasks/birds/deeper/task.yaml", "tasks/birds/train.csv",
            "outside/task.yaml", "tasks/notatask.yaml"}) {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.writeString(folder.resolve(name), "competition_id: x");
        }
        Files.createSymbolicLink(tasks.resolve("out.task.yaml"), folder.resolve("outside/task.yaml"));
        Files.createSymbolicLink(tasks.resolve("linked"), folder.resolve("outside"));
    }

    @Test
    void tasksLieInTheFolderAndRightBelowItAndNoLinkLeadsOut() {
        TaskFolder known = TaskFolder.of(Optional.of(tasks.toString()));
        assertThat(known.names()).containsExactly("birds/task.json", "shop.task.yaml");
        assertThat(YamlFile.map(known.file("shop.task.yaml")).path("competition_id").asText()).isEqualTo("x");
        for (String other : new String[] {"../outside/task.yaml", "out.task.yaml", "linked/task.yaml",
            "birds/train.csv", "/etc/passwd", ""}) {
            refusal(() -> known.file(other)).contains("there is no task");
        }
    }

    @Test
    void withoutAFolderThereIsNoTask() {
        assertThat(TaskFolder.of(Optional.empty()).names()).isEmpty();
        assertThatThrownBy(() -> TaskFolder.of(Optional.empty()).file("task.yaml")).isInstanceOf(Invalid.class);
        for (String wrong : new String[] {tasks + "/nowhere", tasks + "/shop.task.yaml", "a\0b"}) {
            refusal(() -> TaskFolder.of(Optional.of(wrong))).contains("must be a folder, but is");
        }
    }
}
