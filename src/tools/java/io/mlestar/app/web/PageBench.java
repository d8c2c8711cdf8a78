package io.mlestar.app.web;

import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.Meddler;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.Bench;
import io.mlestar.core.engine.BenchFolder;
import io.mlestar.core.engine.DrivenRun;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import module java.base;

/// Measures the built program as those meet it who look at runs: what it asks of a bucket, and what
/// the pages of a run of 2,000 attempts cost.
public final class PageBench {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";
    private static final String ID = "r";
    private static final String PAGE = "/runs/" + ID;
    private static final String BIG = "/runs/" + BigRun.ID;
    private static final String HTML = "text/html";
    /// A page with a run's tree reads the steps of its first two levels.
    private static final int MOST_FOR_TWO_LEVELS = 70;
    /// A report, which writes about every step, has gone through them once.
    private static final int MOST_FOR_ALL_STEPS = 250;
    private static final double MOST_SECONDS = 1;
    private static final double MOST_SECONDS_AGAIN = 0.5;
    private static final double MOST_SECONDS_OF_A_REPORT = 15;
    private static final int WARM_UP = 3;

    private PageBench() {}

    /// @throws IllegalStateException if more is asked of the store than should be, or the page
    ///   takes more of the processor
    public static void measure() throws Exception {
        requests();
        pages();
    }

    /// Something that makes the program look at its store.
    private interface Look {
        void at() throws Exception;
    }

    private static void requests() throws Exception {
        System.out.println("\nrequests of the bucket, a run that has ended     reads  listings  at most");
        try (BenchFolder folder = BenchFolder.make();
                S3Server bucket = S3Server.start();
                Meddler between = new Meddler(bucket.endpoint())) {
            String store = bucket.freshAddress();
            DrivenRun.start(bucket.store(store), ID, CONFIG, 0).untilTheEnd();
            Program program = new Program(folder.path());
            S3Server.environment(between.endpoint()).forEach(program::with);
            program.with("MLE_STAR_STORE", store);
            line(between, "mlestar status", 3, () -> run(program, "status", ID));
            line(between, "mlestar runs", 4, () -> run(program, "runs"));
            int asked = between.heads().size();
            try (Served served = Served.start(program)) {
                // At its start the program looks for runs to resume: that is no request of a page.
                Waiting.until("the server looked at the run",
                        () -> between.heads().stream().skip(asked)
                                .anyMatch(head -> head.contains("/runs/" + ID + "/steps.result.json")));
                line(between, "GET /runs, JSON", 4, () -> get(served, "/runs", "application/json"));
                line(between, "GET /runs/{id}, JSON", 3, () -> get(served, PAGE, "application/json"));
                line(between, "GET /runs, a page", 4, () -> get(served, "/runs", HTML));
                line(between, "GET /runs/{id}, a page", MOST_FOR_TWO_LEVELS, () -> get(served, PAGE, HTML));
                line(between, "GET /runs/{id}, the page again", 5, () -> get(served, PAGE, HTML));
                line(between, "GET /runs/{id}/report", MOST_FOR_ALL_STEPS, () -> get(served, PAGE + "/report", HTML));
                line(between, "GET /runs/{id}/report again", 3, () -> get(served, PAGE + "/report", HTML));
            }
        }
    }

    private static void line(Meddler between, String what, int most, Look look) throws Exception {
        int before = between.heads().size();
        look.at();
        List<String> requests = between.heads().subList(before, between.heads().size());
        long listings = requests.stream().filter(head -> head.contains("list-type=2")).count();
        System.out.printf(Locale.ROOT, "%-47s %7d %9d %9d%n", what, requests.size() - listings, listings, most);
        Bench.atMost(most, requests.size(), "requests of the bucket: " + what);
    }

    private static void run(Program program, String... arguments) throws Exception {
        Program.Ended ended = program.run(arguments);
        if (ended.exitCode() != 0) {
            throw new IllegalStateException(ended.err());
        }
    }

    private static void pages() throws Exception {
        try (BenchFolder folder = BenchFolder.make(); Served served = Served.start(folder.path())) {
            // The JVM's needs for the first pages of all are not the run's.
            for (int run = 0; run < WARM_UP; run++) {
                DrivenRun.start(served.store(), ID + run, CONFIG, 0).untilTheEnd();
                get(served, PAGE + run, HTML);
            }
            BigRun run = new BigRun(folder.path().resolve("store"));
            int objects = run.until("phase2-path0/block248");
            run.keepFromOthers();
            System.out.printf(Locale.ROOT,
                    "%npages of a run of 2,000 attempts (%d objects)                 CPU s   at most%n", objects);
            double small = seconds(served, PAGE + 0);
            System.out.printf(Locale.ROOT, "%-56s %10.2f%n", "the page of a small run, again", small);
            line("its page", MOST_SECONDS, seconds(served, BIG));
            line("its page again", MOST_SECONDS_AGAIN, seconds(served, BIG));
            line("one of its paths, with 250 blocks", MOST_SECONDS_AGAIN, seconds(served, BIG + "/tree/phase2-path0"));
            run.until("");
            line("its report, once it has ended", MOST_SECONDS_OF_A_REPORT, seconds(served, BIG + "/report"));
        }
    }

    private static void line(String what, double most, double seconds) {
        System.out.printf(Locale.ROOT, "%-56s %10.2f %9.1f%n", what, seconds, most);
        Bench.atMost(most, seconds, "s of processor time: " + what);
    }

    private static double seconds(Served served, String page) throws Exception {
        Duration before = served.used();
        get(served, page, HTML);
        return served.used().minus(before).toMillis() / 1e3;
    }

    private static void get(Served served, String page, String accept) throws Exception {
        HttpResponse<String> answer = served.send(HttpRequest.newBuilder(served.uri(page)).header("Accept", accept));
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(page + " answered " + answer.statusCode());
        }
    }
}
