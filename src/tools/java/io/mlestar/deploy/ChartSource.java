package io.mlestar.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.core.base.Json;
import module java.base;
import org.jspecify.annotations.Nullable;

/// The kustomizations below `k8s` as the chart is made from them: it knows of kustomize what they
/// use.
final class ChartSource {
    private final List<Entry> entries = new ArrayList<>();

    /// A manifest of the chart.
    ///
    /// @param conditions all must hold for it to be there
    record Entry(ObjectNode manifest, List<String> conditions) {
        String kind() {
            return manifest.path("kind").asText();
        }

        String name() {
            return manifest.at("/metadata/name").asText();
        }
    }

    List<Entry> entries() {
        return entries;
    }

    /// Adds the manifests of a folder, and its changes to those that are there.
    ///
    /// @param without resources of it that are there already
    /// @param condition under which all that holds; null for always
    void add(Path folder, Set<String> without, @Nullable String condition) {
        JsonNode kustomization = kustomization(folder);
        resources(folder, kustomization, without).forEach(manifest -> entries.add(new Entry(manifest,
                new ArrayList<>(condition == null ? List.of() : List.of(condition)))));
        patch(folder, kustomization, condition);
    }

    /// The changes alone, to manifests of one kind.
    void patch(Path folder, String kind, String condition) {
        ObjectNode kustomization = (ObjectNode) kustomization(folder);
        ArrayNode patches = kustomization.putArray("patches");
        kustomization(folder).path("patches").forEach(patch -> {
            if (target(patch, documents(folder, patch).getFirst()).path("kind").asText().equals(kind)) {
                patches.add(patch);
            }
        });
        patch(folder, kustomization, condition);
    }

    private static JsonNode kustomization(Path folder) {
        return ProjectFiles.documents(ProjectFiles.text(folder.resolve("kustomization.yaml"))).getFirst();
    }

    private static List<ObjectNode> resources(Path folder, JsonNode kustomization, Set<String> without) {
        List<ObjectNode> manifests = new ArrayList<>();
        for (JsonNode resource : kustomization.path("resources")) {
            Path path = folder.resolve(resource.asText()).normalize();
            if (without.contains(resource.asText())) {
                continue;
            }
            if (Files.isDirectory(path)) {
                ChartSource nested = new ChartSource();
                nested.add(path, without, null);
                nested.entries.forEach(entry -> manifests.add(entry.manifest()));
            } else {
                ProjectFiles.documents(ProjectFiles.text(path))
                        .forEach(document -> manifests.add((ObjectNode) document));
            }
        }
        kustomization.path("configMapGenerator").forEach(generator -> manifests.add(generated(folder, generator)));
        kustomization.path("labels").forEach(labels -> manifests.forEach(manifest -> labels.path("pairs").properties()
                .forEach(label -> ((ObjectNode) manifest.get("metadata")).withObjectProperty("labels")
                        .set(label.getKey(), label.getValue()))));
        return manifests;
    }

    /// Without the digest that kustomize may add to its name.
    private static ObjectNode generated(Path folder, JsonNode generator) {
        Map<String, String> data = new TreeMap<>();
        generator.path("files").forEach(file -> {
            String[] parts = file.asText().split("=", 2);
            Path path = folder.resolve(parts[parts.length - 1]);
            data.put(parts.length == 2 ? parts[0] : path.getFileName().toString(), ProjectFiles.text(path));
        });
        JsonNode options = generator.path("options");
        ObjectNode manifest = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        manifest.putObject("metadata").put("name", generator.path("name").asText());
        if (options.has("labels")) {
            ((ObjectNode) manifest.get("metadata")).set("labels", options.get("labels"));
        }
        manifest.set("data", Json.tree(data));
        return manifest;
    }

    private void patch(Path folder, JsonNode kustomization, @Nullable String condition) {
        for (JsonNode patch : kustomization.path("patches")) {
            List<JsonNode> documents = documents(folder, patch);
            JsonNode first = documents.getFirst();
            JsonNode target = target(patch, first);
            List<Entry> found = entries.stream().filter(entry -> matches(target, entry)).toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException(folder + ": no manifest is a " + target);
            }
            for (Entry entry : found) {
                // A manifest that is only there under this condition needs it no second time.
                String when = entry.conditions().contains(condition) ? null : condition;
                if (first.path("$patch").asText().equals("delete")) {
                    entry.conditions().add("not (" + Objects.requireNonNull(when) + ")");
                } else if (first.has("op")) {
                    documents.forEach(change -> change(entry.manifest(), change, when));
                } else {
                    documents.forEach(document -> ConditionalYaml.merge(entry.manifest(), document, when));
                }
            }
        }
    }

    /// The documents of a patch, or the changes that it lists.
    private static List<JsonNode> documents(Path folder, JsonNode patch) {
        return ProjectFiles.documents(patch.has("path") ? ProjectFiles.text(folder.resolve(patch.get("path").asText()))
                : patch.path("patch").asText());
    }

    private static JsonNode target(JsonNode patch, JsonNode document) {
        return patch.has("target") ? patch.get("target")
                : Json.object().put("kind", document.path("kind").asText())
                        .put("name", document.at("/metadata/name").asText())
                        .put("group", group(document));
    }

    private static String group(JsonNode manifest) {
        String version = manifest.path("apiVersion").asText();
        return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    }

    private static boolean matches(JsonNode target, Entry entry) {
        Set<String> known = Set.of("group", "kind", "name");
        target.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new IllegalArgumentException("a target by " + field + " is not known to the chart");
            }
        });
        return Stream.of(Optional.of(entry.kind()).filter(target.path("kind").asText(entry.kind())::equals),
                Optional.of(entry.name()).filter(name -> name.matches(target.path("name").asText(".*"))),
                Optional.of(group(entry.manifest())).filter(group -> target.path("group").asText(group).equals(group)))
                .allMatch(Optional::isPresent);
    }

    private static void change(ObjectNode manifest, JsonNode change, @Nullable String condition) {
        List<String> path = Stream.of(change.path("path").asText().substring(1).split("/"))
                .map(part -> part.replace("~1", "/").replace("~0", "~")).toList();
        ConditionalYaml.change(manifest, path, old -> switch (change.path("op").asText()) {
            case "test" -> old;
            case "add", "replace" ->
                condition == null || change.path("value").equals(old) ? change.path("value").deepCopy()
                        : ConditionalYaml.choice(condition, change.path("value").deepCopy(), old);
            case "remove" -> condition == null ? null : ConditionalYaml.choice(condition, null, old);
            case String other -> throw new IllegalArgumentException("the chart knows no patch that does " + other);
        });
    }
}
