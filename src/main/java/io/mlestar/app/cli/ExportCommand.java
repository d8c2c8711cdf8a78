package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.FolderTree;
import io.mlestar.show.report.SolutionPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Writes the final solution of a run to a folder, with all that it needs to run without this
/// program.
@Command(name = "export",
        description = "Write the final solution of a run, its libraries and Dockerfile to a folder that runs without this program.",
        mixinStandardHelpOptions = true)
final class ExportCommand extends StoreCommand.OneRunCommand {
    @Parameters(index = "1", paramLabel = "FOLDER", description = "a new or an empty folder")
    Path folder;

    @Override
    public Integer call() {
        OpenedRun opened = open();
        Stores.checkOutside(folder, store.address);
        Map<String, String> files =
                SolutionPackage.of(opened.records(), opened.header(), opened.completed());
        Path target = free(folder);
        try {
            write(files, target);
        } catch (IOException e) {
            throw new Invalid("cannot write " + folder + ": " + Invalid.reason(e));
        }
        ObjectNode all = Json.object().put("run_id", run).put("folder", target.toString());
        all.set("files", Json.tree(files.keySet()));
        return print(all, folder.toString());
    }

    private static Path free(Path folder) {
        Path target = folder.toAbsolutePath().normalize();
        Path parent = Objects.requireNonNullElse(target.getParent(), target);
        if (!Files.isDirectory(parent)) {
            throw new Invalid("there is no folder " + parent + " for " + folder);
        }
        if (Files.isDirectory(target)) {
            try (Stream<Path> inside = Files.list(target)) {
                if (inside.findAny().isEmpty()) {
                    return target;
                }
            } catch (IOException e) {
                throw new Invalid("folder " + folder + " cannot be read: " + Invalid.reason(e));
            }
        }
        if (Files.exists(target)) {
            throw new Invalid(
                    "there is " + folder
                            + " already, and it is not an empty folder; export writes to a new one");
        }
        return target;
    }

    /// All or nothing: the folder gets its name when it is whole.
    private static void write(Map<String, String> files, Path target) throws IOException {
        Path aside = Files.createTempDirectory(Objects.requireNonNull(target.getParent()),
                "." + target.getFileName() + ".part");
        try {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = aside.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            FolderTree.delete(aside);
            throw e;
        }
    }
}
