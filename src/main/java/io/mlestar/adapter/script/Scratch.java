package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.store.OwnFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// Holds the folders of scripts. The name of each holds the process that made it, so that the
/// folders of killed processes can be removed.
///
/// @param root made when it is needed, as an [OwnFolder]
record Scratch(Path root) {
    private static final Logger LOG = Logger.getLogger("mle_star.sandbox");
    private static final Pattern NAME = Pattern.compile("script-(\\d+)-(\\d+)-(\\d+)-.*");
    /// No script runs so long.
    private static final Duration LONGEST = Duration.ofDays(8);

    /// The folder in the temp folder.
    static Scratch usual() {
        return new Scratch(Path.of(System.getProperty("java.io.tmpdir"), "mlestar"));
    }

    /// An empty folder for one script, or for a view of data.
    Path folder() throws IOException {
        ProcessHandle me = ProcessHandle.current();
        // Scripts may pass through it to their own folder, and not look around.
        return Files.createTempDirectory(OwnFolder.make(root, "rwx--x--x"),
                "script-" + space() + "-" + me.pid() + "-" + start(me) + "-");
    }

    static void remove(Workspace workspace) {
        try {
            workspace.delete();
        } catch (IOException e) {
            // A script can make a folder that its own user cannot empty; its result is good all the
            // same.
            LOG.warnf("the folder %s could not be removed: %s", workspace.folder(), e);
        }
    }

    /// Removes the folders of processes that have ended.
    void sweep() {
        for (Path left : folders()) {
            try {
                if (isLeft(left)) {
                    new Workspace(left).delete();
                    LOG.infof("removed %s, which a process left that has ended", left);
                }
            } catch (IOException e) {
                LOG.debugf("%s could not be removed: %s", left, e);
            }
        }
    }

    private List<Path> folders() {
        try {
            Optional<Path> own = OwnFolder.find(root);
            if (own.isEmpty()) {
                return List.of();
            }
            try (Stream<Path> folders = Files.list(own.get())) {
                return folders.toList();
            }
        } catch (IOException e) {
            LOG.debugf("%s cannot be looked through: %s", root, e);
            return List.of();
        }
    }

    private static boolean isLeft(Path folder) throws IOException {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        if (!name.matches()) {
            return false;
        }
        if (!name.group(1).equals(space())) {
            // Another container with the same folder made it, whose processes are not seen here.
            return Files.getLastModifiedTime(folder)
                    .toInstant()
                    .isBefore(Instant.now().minus(LONGEST));
        }
        Optional<ProcessHandle> maker = ProcessHandle.of(Long.parseLong(name.group(2)));
        return maker.isEmpty() || !name.group(3).equals(Long.toString(start(maker.get())));
    }

    private static long start(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// The number of the space that process ids are counted in.
    private static String space() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException e) {
            return "0";
        }
    }
}
