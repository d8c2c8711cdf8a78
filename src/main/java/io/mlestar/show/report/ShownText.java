package io.mlestar.show.report;

import io.mlestar.core.base.Controls;
import io.quarkus.qute.Expression;
import io.quarkus.qute.HtmlEscaper;
import io.quarkus.qute.Variant;
import java.util.List;

/// How pages and the report escape what they show: as HTML, and with its [Controls] shown, which could turn the lines of a script about before a
/// person reads them.
public final class ShownText extends HtmlEscaper {
    public ShownText() {
        super(List.of(Variant.TEXT_HTML));
    }

    /// Before the escaper of Quarkus.
    @Override
    public int getPriority() {
        return DEFAULT_PRIORITY + 1;
    }

    @Override
    public String map(Object result, Expression expression) {
        return super.map(Controls.shown(result.toString()), expression);
    }
}
