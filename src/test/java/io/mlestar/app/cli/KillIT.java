package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// kill -9 at random moments, and the same command again. The moments depend on what the run has
/// stored, since machines differ in speed: nothing is killed twice before it got on.
class KillIT {
    private static final int KILLS = 5;
    private static final Duration STANDSTILL = Duration.ofMinutes(5);
    /// No script hangs here, and none shall time out where the machine is busy: then the two runs
    /// would differ.
    private static final String[] SMALLER = {"--set", "script_timeout_seconds=600",
        "--set", "num_retrieved_models=3", "--set", "outer_loop_steps=1", "--set", "inner_loop_steps=2", "--set",
        "ensemble_rounds=1"};

    @TempDir
    private Path undisturbed;

    @TempDir
    private Path killed;

    @Test
    @Requirement("REQ-OR-051")
    void aRunThatIsKilledAgainAndAgainEndsAsAnUndisturbedOne() throws Exception {
        Program calm = new Program(undisturbed);
        Program.Ended expected = calm.run(
                Program.smallExample(undisturbed, "run", with("log_file=" + undisturbed.resolve("log"), "--json")));
        assertThat(expected.exitCode()).as(expected.err()).isZero();
        JsonNode wanted = Json.parse(expected.out());

        long seed = Long.getLong("kill.seed", 1);
        System.out.println("kill: seed " + seed + " (-Dkill.seed=N tries another)");
        Random random = new Random(seed);
        Program program = new Program(killed);
        Path log = killed.resolve("log");
        String[] arguments = Program.smallExample(undisturbed, "run", with("log_file=" + log, "--json"));
        Path steps = program.store().resolve("runs/run/steps");
        int all = results(undisturbed.resolve("store/runs/run/steps")).size();
        Map<String, String> known = Map.of();
        int startedAgain = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            long logged = size(log);
            Process process = program.start(arguments);
            awaitMore(process, steps, known.size() + 1 + random.nextInt(share(all - known.size(), KILLS - kill)),
                    Duration.ofMillis(random.nextInt(100)));
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            startedAgain += startedThoughKnown(log, logged, known.keySet());
            known = unchanged(known, results(steps));
        }
        long logged = size(log);
        // The last kill may come when all steps are done, and only the run itself is not.
        assertThat(known).as("what was there after the last kill, of %d steps", all).hasSizeBetween(KILLS, all);
        Program.Ended ended = program.run(arguments);
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        startedAgain += startedThoughKnown(log, logged, known.keySet());
        unchanged(known, results(steps));

        JsonNode result = Json.parse(ended.out());
        assertThat(Program.solution(result)).isEqualTo(Program.solution(wanted));
        assertThat(result.path("best_score")).isEqualTo(wanted.path("best_score"));
        assertThat(result.path("total_cost_usd")).isEqualTo(wanted.path("total_cost_usd"));
        assertThat(Path.of(result.path("submission_path").asText()))
                .hasSameTextualContentAs(Path.of(wanted.path("submission_path").asText()));
        assertThat(startedAgain).as("steps that were known and done again").isZero();
    }

    /// Enough is left to do after the last kill, though the native program gets far in a moment.
    private static int share(int left, int kills) {
        return Math.max(1, left / (kills + 3));
    }

    private static String[] with(String setting, String last) {
        return Stream.concat(Stream.of(SMALLER), Stream.of("--set", setting, last)).toArray(String[]::new);
    }

    /// Results by file; what is known stays what it is.
    private static Map<String, String> unchanged(Map<String, String> before, Map<String, String> now) {
        assertThat(now).containsAllEntriesOf(before);
        return now;
    }

    private static Map<String, String> results(Path steps) throws IOException {
        if (!Files.exists(steps)) {
            return Map.of();
        }
        try (Stream<Path> files = Files.walk(steps)) {
            Map<String, String> results = new HashMap<>();
            for (Path file : files.filter(file -> file.toString().endsWith(".result.json")).toList()) {
                results.put("run/" + steps.relativize(file).toString().replace(".result.json", ""),
                        Files.readString(file));
            }
            return results;
        }
    }

    /// Waits until a run has stored so many results, and a moment more, so that the kill hits
    /// whatever it does next.
    private static void awaitMore(Process process, Path steps, int results, Duration more)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + STANDSTILL.toNanos();
        while (results(steps).size() < results && process.isAlive()) {
            assertThat(System.nanoTime()).as("%d results, after %s", results, STANDSTILL).isLessThan(end);
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        assertThat(process.waitFor(more)).as("a run that ends before %d results", results).isFalse();
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /// The number of steps that the log says were begun since, although their results were there.
    private static int startedThoughKnown(Path log, long since, Set<String> known) throws IOException {
        if (!Files.exists(log)) {
            return 0;
        }
        byte[] bytes = Files.readAllBytes(log);
        String text = new String(bytes, (int) since, bytes.length - (int) since, StandardCharsets.UTF_8);
        Set<String> started = text.lines().filter(line -> line.contains("event=started"))
                .map(line -> line.replaceFirst(".*step=(\\S+).*", "$1")).collect(Collectors.toCollection(HashSet::new));
        started.retainAll(known);
        return started.size();
    }
}
