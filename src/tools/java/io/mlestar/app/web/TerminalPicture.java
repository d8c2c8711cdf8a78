package io.mlestar.app.web;

import module java.base;

/// A session in a terminal as an animated SVG: each line comes when it came, faster. It plays once
/// and then stands; who wants no motion sees the end.
final class TerminalPicture {
    private static final int ROWS = 24;
    private static final int LINE = 18;
    private static final int DESCENT = 4;
    private static final int COLUMNS = 122;
    private static final double CHARACTER = 7.25;
    private static final int MARGIN = 16;
    private static final double PLAYS_SECONDS = 16;

    /// @param seconds after the beginning
    private record Line(double seconds, String text) {}

    private final List<Line> lines = new ArrayList<>();
    private final long begin = System.nanoTime();

    /// Runs the example as `make run` does, typed in a fresh folder.
    ///
    /// @return the picture
    static String ofTheExample() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("terminal");
        for (String there : List.of("mlestar", "src")) {
            Files.createSymbolicLink(folder.resolve(there), Path.of(there).toAbsolutePath());
        }
        String example = "src/examples/bird-strikes";
        TerminalPicture picture = new TerminalPicture();
        picture.add("$ make run");
        picture.run(folder, "./mlestar", "run", "--task", example + "/task.yaml", "--config", example + "/config.yaml",
                "--model",
                "recorded:" + example + "/answers", "--run-id", "first");
        picture.run(folder, "./mlestar", "grade", "--run", "first", "--labels", example + "/hidden/labels.csv");
        return picture.svg();
    }

    private void add(String text) {
        lines.add(new Line((System.nanoTime() - begin) / 1e9, text));
    }

    private void run(Path folder, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("MLE_STAR_"));
        Process process = builder.start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            // The path of the folder would only distract.
            said.lines().map(line -> line.replace(folder + "/", "")).forEach(this::add);
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException(lines.getLast().text());
        }
    }

    private String svg() {
        double whole = lines.getLast().seconds();
        int width = (int) (COLUMNS * CHARACTER) + 2 * MARGIN;
        int height = ROWS * LINE + 2 * MARGIN + LINE;
        int last = Math.max(0, lines.size() - ROWS);
        StringBuilder rolls = new StringBuilder("from{transform:translateY(0)}");
        for (int row = ROWS; row < lines.size(); row++) {
            rolls.append(text("%.2f%%{transform:translateY(-%dpx)}", 100 * lines.get(row).seconds() / whole,
                    (row - ROWS + 1) * LINE));
        }
        StringBuilder svg = new StringBuilder(
                text("""
                        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="A run in a terminal">
                        <style>
                        text{font:12px ui-monospace,"Cascadia Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#d7dce2;white-space:pre}
                        .typed{fill:#fff;font-weight:700}.best{fill:#6fd39a}.quiet{fill:#9aa4ae}
                        .all{transform:translateY(-%dpx)}
                        @media (prefers-reduced-motion:no-preference){
                        .all{animation:roll %.1fs step-end both}text{animation:come 1ms linear both}
                        @keyframes come{from{opacity:0}}
                        @keyframes roll{%s}}
                        </style>
                        <rect width="100%%" height="100%%" rx="8" fill="#15191d"/>
                        <circle cx="20" cy="15" r="5" fill="#f0655b"/><circle cx="38" cy="15" r="5" fill="#f3bd4f"/><circle cx="56" cy="15" r="5" fill="#5fc65a"/>
                        <svg y="%d" width="%d" height="%d"><g class="all">
                        """,
                        width, height, width, height, last * LINE, PLAYS_SECONDS, rolls, MARGIN + LINE / 2, width,
                        ROWS * LINE));
        for (int row = 0; row < lines.size(); row++) {
            Line line = lines.get(row);
            svg.append(
                    text("<text x=\"%d\" y=\"%d\"%s style=\"animation-delay:%.2fs\" xml:space=\"preserve\">%s</text>%n",
                            MARGIN, (row + 1) * LINE - DESCENT,
                            kind(line.text()), PLAYS_SECONDS * line.seconds() / whole, escaped(line.text())));
        }
        return svg.append("</g></svg>\n</svg>\n").toString();
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), arguments);
    }

    private static String kind(String line) {
        return line.startsWith("$ ") ? " class=\"typed\""
                : line.contains("best so far") || line.startsWith("ROC-AUC") ? " class=\"best\""
                : line.contains("recorded answers") ? " class=\"quiet\"" : "";
    }

    private static String escaped(String line) {
        String cut = line.length() <= COLUMNS ? line : line.substring(0, COLUMNS - 1) + "…";
        return cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
