package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Enclosure;
import io.mlestar.adapter.script.isolation.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All processes of a program in a sandbox.
///
/// @param root the first of them
/// @param mark of all of them
/// @param grace what they have to leave when they are asked to
record ProcessTree(Process root, Isolation isolation, long mark, Duration grace) {
    private static final int STRAY_ROUNDS = 50;

    /// Lets the interpreter say where it is, and end. A script that is deaf to it lives on.
    void abort() throws InterruptedException {
        // The starter stands between in a namespace of processes.
        Optional<ProcessHandle> script = root.descendants()
                .filter(process -> Enclosure.isMarked(process, mark))
                .skip(isolation.isNamespaced() ? 1 : 0)
                .findFirst();
        if (script.isPresent()) {
            Isolation.works("sh", "-c", "kill -ABRT " + script.get().pid());
            root.waitFor(grace);
        }
    }

    /// Ends the whole tree: asks first, then kills. The tree is listed while its root lives. Behind
    /// a wall without a space of its own for processes, the starter is the root: it takes in those
    /// whose parents are gone, and ends them with the script or when it is asked to; their mark
    /// finds those that would get away if it were killed.
    void end() throws InterruptedException {
        List<ProcessHandle> tree = new ArrayList<>(root.descendants().toList());
        if (root.isAlive()) {
            tree.forEach(ProcessHandle::destroy);
            root.waitFor(grace);
            tree.addAll(root.descendants().toList());
        }
        if (!isolation.isNamespaced()) {
            root.toHandle().destroy();
            root.waitFor(grace);
        }
        tree.forEach(ProcessHandle::destroyForcibly);
        if (!isolation.isNamespaced()) {
            Isolation.works("sh", "-c", "kill -KILL -" + root.pid());
            endStrays();
        }
        root.toHandle().destroyForcibly();
        root.waitFor();
        awaitEnd(tree);
    }

    /// Waits for killed processes: each is gone a moment later, and may write until then.
    private void awaitEnd(List<ProcessHandle> killed) throws InterruptedException {
        long start = System.nanoTime();
        while (killed.stream().anyMatch(ProcessHandle::isAlive)
                && System.nanoTime() - start < grace.toNanos()) {
            Thread.sleep(10);
        }
    }

    private void endStrays() throws InterruptedException {
        for (int round = 0; round < STRAY_ROUNDS; round++) {
            List<ProcessHandle> strays =
                    ProcessHandle.allProcesses()
                            .filter(process -> Enclosure.isMarked(process, mark))
                            .toList();
            if (strays.isEmpty()) {
                return;
            }
            strays.forEach(ProcessHandle::destroyForcibly);
            Thread.sleep(20);
        }
    }
}
