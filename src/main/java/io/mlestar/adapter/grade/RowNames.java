package io.mlestar.adapter.grade;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The ids of the task's own test rows, by those under which scripts see them among hidden rows.
///
/// @param ids of the rows whose names differ from them
record RowNames(Map<String, String> ids) {
    /// Stands for the task's own ids, where scripts see these.
    static final RowNames OWN = new RowNames(Map.of());

    /// @param csv the name and the id of each row, as the survey writes them
    static RowNames of(byte[] csv) {
        Map<String, String> ids = new HashMap<>();
        Table table =
                Table.of("the table of names", new ByteArrayInputStream(csv), ',', 1, _ -> true);
        table.rows().forEach((name, row) -> ids.put(name, row.getField(1)));
        return new RowNames(ids);
    }

    /// The fields of a row whose first one is its name, with its id in that place.
    List<String> own(String name, List<String> fields) {
        String id = ids.get(name);
        if (id == null) {
            return fields;
        }
        List<String> own = new ArrayList<>(fields);
        own.set(0, id);
        return own;
    }
}
