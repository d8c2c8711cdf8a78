package io.mlestar.core.store;

import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.base.Unavailable;

/// A record is whole, and of a format that this program does not know yet: a newer program wrote
/// it, and a newer program can go on. So nothing is concluded from it here; it is as if the store
/// were out of reach until this process is a newer one.
public final class NewerRecord extends Unavailable {
    private static final int LONGEST = 80;

    NewerRecord(String key, String writer, String format) {
        super("record " + key + " was written by mlestar " + shown(writer) + " in format "
                + shown(format)
                + "; this is mlestar " + ProgramVersion.HERE
                + ", which knows formats up to " + ChecksummedJson.FORMAT
                + ": use the newer program, nothing has been changed");
    }

    private static String shown(String writer) {
        return Controls.shown(Excerpt.line(writer, LONGEST));
    }
}
