package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Sha256;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/// The content of a file; reading its end fails if length or digest are not those of the manifest.
final class DigestCheckingStream extends FilterInputStream {
    private final DataManifest.File file;
    private final MessageDigest digest = Sha256.digest();
    private long length;
    private boolean checked;

    DigestCheckingStream(InputStream content, DataManifest.File file) {
        super(content);
        this.file = file;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int most) throws IOException {
        int count = super.read(buffer, offset, most);
        if (count > 0) {
            digest.update(buffer, offset, count);
            length += count;
        } else if (count < 0 && !checked) {
            checked = true;
            if (length != file.size()
                    || file.sha256() != null
                            && !file.sha256().equals(HexFormat.of().formatHex(digest.digest()))) {
                throw new IOException(
                        file.name() + " is not what it was said to be: " + length + " of "
                                + file.size() + " bytes"
                                + (length == file.size() ? ", with another digest" : ""));
            }
        }
        return count;
    }
}
