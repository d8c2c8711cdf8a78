package io.mlestar.core.store;

import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Unavailable;
import java.util.Objects;
import java.util.function.Supplier;

/// An object of the store is there and is not what it should be: cut off, overwritten, or written
/// by something else. To try again does not help. It is the fault of one run; the others are not
/// concerned.
public final class DamagedRecord extends RuntimeException {
    public DamagedRecord(String key, String reason) {
        super("record " + key + " cannot be read: "
                + Controls.shown(reason).replace('\n', ' ')
                + "; put a whole copy in its place, or begin another run");
    }

    /// Returns what `reading` makes of a record, or of a folder of them.
    ///
    /// @throws DamagedRecord whatever goes wrong with it, unless the store is out of reach or a
    ///   newer program wrote it
    public static <T> T unlessRead(String key, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (DamagedRecord | Unavailable e) {
            throw e;
        } catch (Invalid e) {
            throw new DamagedRecord(key, e.getMessage());
        } catch (RuntimeException e) {
            throw new DamagedRecord(key,
                    "it makes no sense (" + e.getClass().getSimpleName() + ")");
        }
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
