package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The data of runs as their scripts see them from which rows are hidden: one folder for all
/// scripts of a run and all tools of its agents in this process, since a view is a copy of all data
/// where files cannot be linked. It lies outside of the workspaces: within one a script could
/// change files that are links to the task's. A view is removed when its run ends; those of killed
/// processes, when the next one makes a view or runs a script.
public final class DataViews implements Watcher {
    private static final Set<PosixFilePermission> READ_ONLY =
            PosixFilePermissions.fromString("r-xr-xr-x");

    private final Scratch scratch;
    private final Map<View, Path> views = new ConcurrentHashMap<>();

    private record View(String run, String name) {}

    /// Puts data into a folder.
    public interface Filling {
        void fill(Path folder) throws IOException;
    }

    public DataViews() {
        this(Scratch.usual());
    }

    DataViews(Scratch scratch) {
        this.scratch = scratch;
    }

    /// The folder of a view, which is filled unless it is there. Others that want the same one
    /// meanwhile wait for it.
    ///
    /// @param name of the view within the run
    public Path of(String run, String name, Filling filling) {
        return views.compute(new View(run, name),
                (view, known) -> known != null && Files.isDirectory(known) ? known : make(filling));
    }

    private Path make(Filling filling) {
        scratch.sweep();
        try {
            Path folder = scratch.folder();
            try {
                filling.fill(folder);
                Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path filled,
                            @Nullable IOException failure)
                            throws IOException {
                        if (!filled.equals(folder)) { // Its own time tells other containers how old it is.
                            Files.setLastModifiedTime(filled, FolderTree.NO_TIME);
                        }
                        Files.setPosixFilePermissions(filled, READ_ONLY);
                        return FileVisitResult.CONTINUE;
                    }
                });
                return folder;
            } catch (IOException | RuntimeException e) {
                Scratch.remove(new Workspace(folder));
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot show data in " + scratch.root(), e);
        }
    }

    /// Removes the views of all runs but some.
    public void keep(Predicate<String> wanted) {
        views.keySet()
                .stream()
                .filter(view -> !wanted.test(view.run()))
                .forEach(view -> Optional.ofNullable(views.remove(view))
                        .ifPresent(folder -> Scratch.remove(new Workspace(folder))));
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        if (step.inside().isEmpty()) {
            keep(other -> !other.equals(run.runId()));
        }
    }
}
