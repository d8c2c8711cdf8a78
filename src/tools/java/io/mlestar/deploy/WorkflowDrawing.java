package io.mlestar.deploy;

import module java.base;

/// The chain of Triggers as a picture for the pages of `serve`: phases below the phase that asks
/// for them, and beside each the agents and scripts that it asks for itself. A phase that several
/// ask for is drawn below each, with what it asks for only once.
final class WorkflowDrawing {
    private static final int ROW = 40;
    private static final int INDENT = 36;
    private static final int BOX = 150;
    private static final int ASKED_AT = 420;
    private static final int WIDTH = 960;
    private static final String STYLE =
            """
                    <style>
                    text { font: 14px sans-serif; fill: #1d2733; } .type { font-size: 12px; fill: #5a6776; }
                    rect { fill: #eef3f8; stroke: #7b8ea3; } .again rect { fill: none; stroke-dasharray: 4 3; } path { fill: none; stroke: #7b8ea3; }
                    @media (prefers-color-scheme: dark) {
                      text { fill: #e5ebf1; } .type { fill: #a3b1bf; } rect { fill: #243240; } .again rect { fill: none; }
                    }
                    </style>
                    """;

    private final Map<String, Set<String>> asks;
    private final List<String> shapes = new ArrayList<>();
    private final Set<String> drawn = new HashSet<>();
    private int row;

    private WorkflowDrawing(Map<String, Set<String>> asks) {
        this.asks = asks;
    }

    static String of(Map<String, Set<String>> asks) {
        WorkflowDrawing drawing = new WorkflowDrawing(asks);
        drawing.text(10, 0, "type", "io.mlestar.run.requested → run-requested →");
        drawing.row++;
        drawing.phase("pipeline", 0);
        drawing.text(10, drawing.row++, "type", "→ io.mlestar.run.completed or io.mlestar.run.failed");
        drawing.text(10, drawing.row++, "type",
                "each minute → sweep → whatever was lost; what the broker cannot deliver → dead-letter → its step fails");
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n<title>Workflow: functions and the events between them</title>%n%s%s</svg>%n"
                .formatted(WIDTH, drawing.row * ROW, STYLE, String.join("", drawing.shapes));
    }

    private void phase(String name, int depth) {
        int mine = row++;
        boolean again = !drawn.add(name);
        int x = 10 + depth * INDENT;
        shapes.add("<g%s><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"26\" rx=\"4\"/>%n"
                .formatted(again ? " class=\"again\"" : "", x, mine * ROW + 7, BOX));
        text(x + 10, mine, "", name);
        shapes.add("</g>\n");
        if (again) {
            return;
        }
        Set<String> asked = asks.getOrDefault(name, Set.of());
        String others = asked.stream().filter(one -> !asks.containsKey(one))
                .map(one -> one.equals("script") ? "script (a Job)" : one)
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            text(ASKED_AT, mine, "type", "⇄ " + others);
        }
        for (String inner : asked.stream().filter(asks::containsKey).toList()) {
            shapes.add(String.format(Locale.ROOT, "<path d=\"M%d %d V%d H%d\"/>%n", x + INDENT / 2, mine * ROW + 33,
                    row * ROW + 20, x + INDENT));
            phase(inner, depth + 1);
        }
    }

    private void text(int x, int at, String kind, String words) {
        shapes.add("<text x=\"%d\" y=\"%d\"%s>%s</text>%n".formatted(x, at * ROW + 25,
                kind.isEmpty() ? "" : " class=\"" + kind + "\"", words));
    }
}
