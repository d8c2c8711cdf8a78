package io.mlestar.show.report;

import io.mlestar.core.base.Controls;
import io.quarkus.qute.Expression;
import io.quarkus.qute.HtmlEscaper;
import io.quarkus.qute.Variant;
import java.util.List;

/// Escapes texts of pages and of the report: as HTML, and with their [Controls] shown, which could
/// otherwise reorder the lines of a script on the screen.
public final class ShownText extends HtmlEscaper {
    public ShownText() {
        super(List.of(Variant.TEXT_HTML));
    }

    /// Comes before the escaper of Quarkus.
    @Override
    public int getPriority() {
        return DEFAULT_PRIORITY + 1;
    }

    @Override
    public String map(Object result, Expression expression) {
        return super.map(Controls.shown(result.toString()), expression);
    }
}
