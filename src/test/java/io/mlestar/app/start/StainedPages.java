package io.mlestar.app.start;

import io.mlestar.core.agent.CardFolder;
import module java.base;

/// Stained pages of two points, whose clean ones are the labels: no rule finds that, but a
/// `split.py` tells it.
public final class StainedPages {
    /// It hides such pages as it should.
    public static final Path SPLIT = Path.of("src/test/resources/holdout/split-pages.py");
    private static final int PAGES = 40;

    private StainedPages() {}

    /// @param folder of a task, whose data lie in `input`
    public static CardFolder in(Path folder) throws IOException {
        CardFolder data = CardFolder.in(folder);
        StringBuilder sample = new StringBuilder("id,value\n");
        for (int page = 0; page < PAGES; page++) {
            String stained = "P2 1 1 1 0 0 stained " + page % 3;
            data.with("train/" + (100 + page) + ".pgm", stained)
                    .with("train_cleaned/" + (100 + page) + ".pgm", "P2 1 1 1 " + page * 37 % 41 + " " + page * 11 % 13)
                    .with("test/" + page + ".pgm", stained);
            sample.append("%d_0,1\n%d_1,1\n".formatted(page, page));
        }
        return data.with("sampleSubmission.csv", sample.toString());
    }
}
