package io.mlestar.show.report;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.Svg;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The scores of an ablation study, read from the lines that its script printed: a name and a score each.
///
/// @param unchanged score of the whole script
/// @param variants of the script, as printed
record Ablations(double unchanged, List<Variant> variants) {
    private static final Pattern LINE = Pattern.compile(
            "^[\\s*#>-]{0,8}(?<name>[A-Za-z(\\[\"'`][^:=]{0,90}?)\\s*[:=]\\s*(?:[A-Za-z][\\w -]{0,30}[:= ]\\s*)?"
                    + "(?<score>-?\\d{1,12}\\.\\d{1,20}(?:[eE][+-]?\\d{1,3})?)(?!\\d|\\.).*$");
    private static final Pattern UNCHANGED = Pattern.compile("(?i)\\b(baseline|original|full|unmodified|reference|complete)\\b");
    private static final int MOST_VARIANTS = 16;
    private static final int LONGEST_LINE = 400;
    private static final int NAMES = 300;
    private static final int WIDTH = 760;
    private static final int ROW = 24;

    record Variant(String name, double score) {}

    /// Empty variants if the output has no score of the whole script, or nothing beside it.
    static Ablations read(String output) {
        Double unchanged = null;
        List<Variant> variants = new ArrayList<>();
        for (String line : output.lines().limit(2_000).filter(text -> text.length() <= LONGEST_LINE).toList()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                continue;
            }
            String name = matcher.group("name").strip();
            double score = Double.parseDouble(matcher.group("score"));
            if (unchanged == null && UNCHANGED.matcher(name).find()) {
                unchanged = score;
            } else if (variants.size() < MOST_VARIANTS && variants.stream().noneMatch(known -> known.name().equals(name))) {
                variants.add(new Variant(name, score));
            }
        }
        return unchanged == null ? new Ablations(0, List.of()) : new Ablations(unchanged, variants);
    }

    /// A bar for each variant: to the left if it scored worse than the whole script, to the right if better.
    String svg(MetricDirection direction) {
        double most = variants.stream().mapToDouble(variant -> Math.abs(variant.score() - unchanged)).max().orElse(0);
        int height = ROW * variants.size() + 22;
        double middle = NAMES + (WIDTH - NAMES) / 2.0;
        double half = (WIDTH - NAMES) / 2.0 - 76;
        Svg svg = new Svg().open("svg", "class", "bars", "role", "img", "viewBox", "0 0 " + WIDTH + " " + height).text("title", "Ablation study")
                .text("text", "← worse · whole script " + Formats.score(unchanged) + " · better →", "class", "bars-note", "x", middle, "y", 12);
        for (int i = 0; i < variants.size(); i++) {
            Variant variant = variants.get(i);
            double gain = direction.gain(variant.score(), unchanged);
            double width = most == 0 ? 0 : Math.abs(gain) / most * half;
            double y = 22 + i * ROW;
            boolean worse = gain < 0;
            double from = worse ? middle - width : middle;
            svg.text("text", Formats.clip(variant.name(), 44), "class", "bars-name", "x", NAMES, "y", y + 14);
            svg.empty("rect", "class", worse ? "bars-worse" : "bars-better", "x", from, "y", y + 4, "width", Math.max(width, 1), "height", ROW - 10);
            svg.text("text", Formats.gain(gain), "class", worse ? "bars-left" : "bars-right",
                    "x", worse ? from - 6 : from + width + 6, "y", y + 14);
        }
        return svg.path("bars-axis", "M" + Svg.number(middle) + " 20V" + height).close("svg").toString();
    }
}
