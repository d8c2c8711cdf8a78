package io.mlestar.core.engine;

import module java.base;
import org.jspecify.annotations.Nullable;

/// A clock that jumps to the next event. Tasks run one at a time and hand over when they sleep, so
/// that the same beginning always gives the same course, however long the things take that are made
/// believe.
public final class VirtualTime implements InstantSource {
    /// The process is gone. An error, so that nothing catches it by accident.
    public static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        public Died() {
            super("the process died", null, false, false);
        }
    }

    /// Tasks that live and die together.
    public final class SimulatedProcess {
        private boolean dead;
        private final List<Task> tasks = new ArrayList<>();
        private final List<Runnable> mourners = new ArrayList<>();

        /// Does something in this process, after a pause.
        public void after(Duration pause, Runnable work) {
            Task task = new Task(this, work);
            tasks.add(task);
            agenda(task, now.plus(pause));
        }

        /// Is told at once when the process is killed.
        ///
        /// @return ends that
        public Runnable whenKilled(Runnable mourner) {
            mourners.add(mourner);
            return () -> mourners.remove(mourner);
        }

        /// kill -9: its tasks get no further.
        public void kill() {
            dead = true;
            List.copyOf(tasks).forEach(VirtualTime.this::wake);
            List.copyOf(mourners).forEach(Runnable::run);
        }
    }

    /// Something that tasks wait for, first come, first served.
    public final class Bell {
        private final Deque<Task> waiting = new ArrayDeque<>();

        /// Called by what happens: goes on when it rings, but no later than that.
        ///
        /// @throws Died if its process was killed meanwhile
        public void await(Instant latest) {
            Task me = running();
            waiting.add(me);
            try {
                pause(me, latest);
            } finally {
                waiting.remove(me);
            }
        }

        /// Wakes the task that has waited longest, if there is one.
        public void ring() {
            Task first = waiting.poll();
            if (first != null) {
                wake(first);
            }
        }
    }

    private final class Task {
        private final SimulatedProcess process;
        private final Runnable work;
        private final Semaphore go = new Semaphore(0);
        private boolean started;
        private @Nullable Due due;

        Task(SimulatedProcess process, Runnable work) {
            this.process = process;
            this.work = work;
        }

        /// Does it, as far as it gets.
        private void run() {
            try {
                if (!process.dead) {
                    work.run();
                }
            } catch (Died e) {
                // Its death was meant.
            } catch (Throwable e) {
                failure = ending ? failure : e;
            } finally {
                process.tasks.remove(this);
            }
        }
    }

    private record Due(Instant at, long number, Task task) {}

    private final PriorityQueue<Due> agenda =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::number));
    private final Semaphore over = new Semaphore(0);
    private final Instant start;
    private Instant now;
    private @Nullable Task running;
    private long numbers;
    private @Nullable Throwable failure;
    private boolean ending;
    private BooleanSupplier end = () -> false;

    public VirtualTime(Instant start) {
        this.start = start;
        this.now = start;
    }

    public SimulatedProcess process() {
        return new SimulatedProcess();
    }

    public Bell bell() {
        return new Bell();
    }

    /// Lets things happen until `end` says that it is enough, which is asked before each, or
    /// nothing will ever happen any more. What is under way then dies. May be called once.
    ///
    /// @throws IllegalStateException if what happened failed
    public void play(BooleanSupplier end) {
        this.end = end;
        go(next());
        over.acquireUninterruptibly();
        if (failure != null) {
            throw new IllegalStateException("at " + Duration.between(start, now), failure);
        }
    }

    /// The task that comes next; null if it is over.
    private @Nullable Task next() {
        if (!ending && (failure != null || end.getAsBoolean())) {
            ending = true;
        }
        Due due = agenda.poll();
        while (ending && due != null && !due.task().started) {
            due = agenda.poll();
        }
        if (due == null) {
            return null;
        }
        Task task = due.task();
        task.due = null;
        if (ending) {
            task.process.dead = true;
        } else {
            now = due.at().isAfter(now) ? due.at() : now;
        }
        running = task;
        return task;
    }

    private void go(@Nullable Task task) {
        if (task == null) {
            over.release();
        } else if (task.started) {
            task.go.release();
        } else {
            Thread.ofVirtual().start(() -> happen(task));
        }
    }

    /// One thing after the other in the same thread, as long as each is new.
    private void happen(Task first) {
        Task task = first;
        while (task != null && !task.started) {
            task.started = true;
            task.run();
            task = next();
        }
        go(task);
    }

    /// Called by what happens: goes on so much later.
    ///
    /// @throws Died if its process was killed meanwhile
    public void sleep(Duration length) {
        pause(running(), now.plus(length));
    }

    private Task running() {
        if (running == null) {
            throw new IllegalStateException("nothing happens");
        }
        return running;
    }

    private void pause(Task me, Instant until) {
        agenda(me, until);
        Task next = next();
        if (next != me) {
            go(next);
            me.go.acquireUninterruptibly();
        }
        if (me.process.dead) {
            throw new Died();
        }
    }

    private void agenda(Task task, Instant at) {
        task.due = new Due(at, numbers++, task);
        agenda.add(task.due);
    }

    private void wake(Task task) {
        if (task.due != null) {
            agenda.remove(task.due);
            agenda(task, now);
        }
    }

    @Override
    public Instant instant() {
        return now;
    }
}
