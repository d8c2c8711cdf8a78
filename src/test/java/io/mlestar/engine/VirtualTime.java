package io.mlestar.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;

/// A clock that jumps to whatever happens next. What happens are tasks that run one at a time and hand over whenever they sleep,
/// so that the same seed always gives the same course, however long the things take that are made believe.
final class VirtualTime implements InstantSource {
    /// The process is gone. An error, so that nothing catches it by accident.
    static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        Died() {
            super("the process died", null, false, false);
        }
    }

    /// What lives and dies together.
    final class Process {
        private boolean dead;
        private final List<Task> tasks = new ArrayList<>();

        boolean isDead() {
            return dead;
        }

        /// Does something in this process, after a pause.
        void after(Duration pause, Runnable work) {
            Task task = new Task(this, work);
            tasks.add(task);
            agenda(task, pause);
        }

        /// kill -9: whatever its tasks are at, they get no further.
        void kill() {
            dead = true;
            List.copyOf(tasks).forEach(VirtualTime.this::wake);
        }
    }

    private final class Task {
        private final Process process;
        private final Runnable work;
        private final Semaphore go = new Semaphore(0);
        private boolean started;
        private Entry entry;

        Task(Process process, Runnable work) {
            this.process = process;
            this.work = work;
        }

        private void run() {
            try {
                if (!process.dead) {
                    work.run();
                }
            } catch (Died e) {
                // As it was meant.
            } catch (Throwable e) {
                failure = e;
            } finally {
                process.tasks.remove(this);
                idle.release();
            }
        }
    }

    private record Entry(Instant at, long number, Task task) {}

    private final PriorityQueue<Entry> agenda = new PriorityQueue<>(Comparator.comparing(Entry::at).thenComparing(Entry::number));
    private final Semaphore idle = new Semaphore(0);
    private Instant now = World.NOW;
    private Task running;
    private long entries;
    private Throwable failure;

    Process process() {
        return new Process();
    }

    /// Lets the next thing happen.
    ///
    /// @return false if nothing will ever happen any more
    boolean goOn() {
        Entry next = agenda.poll();
        if (next == null) {
            return false;
        }
        now = next.at().isAfter(now) ? next.at() : now;
        running = next.task();
        running.entry = null;
        if (running.started) {
            running.go.release();
        } else {
            running.started = true;
            Thread.ofVirtual().start(running::run);
        }
        idle.acquireUninterruptibly();
        if (failure != null) {
            throw new AssertionError("at " + Duration.between(World.NOW, now), failure);
        }
        return true;
    }

    /// Called by what happens: goes on so much later.
    ///
    /// @throws Died if its process was killed meanwhile
    void sleep(Duration length) {
        Task me = running;
        agenda(me, length);
        idle.release();
        me.go.acquireUninterruptibly();
        if (me.process.dead) {
            throw new Died();
        }
    }

    private void agenda(Task task, Duration pause) {
        task.entry = new Entry(now.plus(pause), entries++, task);
        agenda.add(task.entry);
    }

    private void wake(Task task) {
        if (task.entry != null) {
            agenda.remove(task.entry);
            agenda(task, Duration.ZERO);
        }
    }

    @Override
    public Instant instant() {
        return now;
    }
}
