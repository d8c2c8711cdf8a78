package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskDescriptionTest {
    private static TaskDescription read(JsonNode json) {
        return Json.readStrictly(json, TaskDescription.class);
    }

    @Test
    @Requirement("REQ-DM-007")
    void theFoldersHaveDefaults() {
        TaskDescription task = read(Examples.task());

        assertThat(task.competitionId()).isEqualTo("spaceship-titanic");
        assertThat(task.taskType()).isEqualTo(TaskType.CLASSIFICATION);
        assertThat(task.dataModality()).isEqualTo(DataModality.TABULAR);
        assertThat(task.metricDirection()).isEqualTo(MetricDirection.MAXIMIZE);
        assertThat(task.dataDir()).isEqualTo("./input");
        assertThat(task.outputDir()).isEqualTo("./final");
    }

    @ParameterizedTest
    @ValueSource(strings = {"competition_id", "task_type", "data_modality", "evaluation_metric", "metric_direction",
        "description"})
    @Requirement({"REQ-DM-007", "REQ-OR-002"})
    void aMissingFieldIsNamed(String field) {
        assertThatThrownBy(() -> read(Examples.task().without(field)))
                .isInstanceOf(Invalid.class).hasMessageStartingWith(field + " is required");
        assertThatThrownBy(() -> read(Examples.task().putNull(field)))
                .isInstanceOf(Invalid.class).hasMessageStartingWith(field + " is required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"competition_id", "evaluation_metric", "description", "data_dir", "output_dir"})
    @Requirement({"REQ-DM-007", "REQ-OR-002"})
    void blankTextIsNoText(String field) {
        assertThatThrownBy(() -> read(Examples.task().put(field, " \n\t")))
                .isInstanceOf(Invalid.class).hasMessageContaining(field);
    }

    @ParameterizedTest
    @CsvSource({"competition_id, 200", "evaluation_metric, 200", "description, 262144", "data_dir, 4096",
        "output_dir, 4096"})
    void aTextOfAnySizeIsNotCopiedIntoEveryRecord(String field, int most) {
        assertThat(Json.tree(read(Examples.task().put(field, "x".repeat(most)))).path(field).asText()).hasSize(most);
        for (int length : new int[] {most + 1, 5_000_000}) {
            assertThatThrownBy(() -> read(Examples.task().put(field, "x".repeat(length)))).isInstanceOf(Invalid.class)
                    .hasMessage(field + " must have at most " + most + " characters, but has " + length);
        }
    }

    @ParameterizedTest
    @CsvSource({"task_type, Classification, classification", "task_type, '', classification",
        "data_modality, video, tabular",
        "metric_direction, MAXIMIZE, 'maximize, minimize'", "metric_direction, 0, 'maximize, minimize'",
        "metric_direction, up, 'maximize, minimize'"})
    @Requirement({"REQ-DM-004", "REQ-DM-005", "REQ-DM-006"})
    void anUnknownWordIsRefusedWithTheWordsThatAreKnown(String field, String word, String known) {
        assertThatThrownBy(() -> read(Examples.task().put(field, word))).isInstanceOf(Invalid.class)
                .hasMessageStartingWith(field + " must be one of [" + known)
                .hasMessageContaining(", but is \"" + word + "\"");
    }

    @Test
    void anUnknownFieldIsRefusedWithTheFieldsThatAreKnown() {
        assertThatThrownBy(() -> read(Examples.task().put("metric_directoin", "auc")))
                .hasMessage("unknown field metric_directoin; did you mean metric_direction?");
        assertThatThrownBy(() -> read(Examples.task().put("colour", "auc")))
                .isInstanceOf(Invalid.class)
                .hasMessage("unknown field colour; known are competition_id, data_dir, data_modality, description, "
                        + "evaluation_metric, metric_direction, output_dir, task_type");
    }
}
