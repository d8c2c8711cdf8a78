package io.mlestar.adapter.tool;

import java.net.Inet4Address;
import java.net.InetAddress;

/// Tells addresses of the public internet from all others.
final class Addresses {
    /// Network and length of its prefix.
    private static final int[][] RESERVED = {{0, 0, 8}, {10, 0, 8}, {100, 64, 10}, {127, 0, 8}, {169, 254, 16}, {172, 16, 12}, {192, 168, 16},
        {198, 18, 15}, {224, 0, 3}};
    /// The first three bytes.
    private static final int[][] SMALL = {{192, 0, 0}, {192, 0, 2}, {192, 88, 99}, {198, 51, 100}, {203, 0, 113}};

    private Addresses() {}

    /// False for private, loopback, link-local, multicast and reserved addresses, and for IPv6 that wraps IPv4.
    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            int first = (bytes[0] & 255) << 8 | bytes[1] & 255;
            for (int[] net : RESERVED) {
                if (first >> 16 - net[2] == (net[0] << 8 | net[1]) >> 16 - net[2]) {
                    return false;
                }
            }
            for (int[] net : SMALL) {
                if ((bytes[0] & 255) == net[0] && (bytes[1] & 255) == net[1] && (bytes[2] & 255) == net[2]) {
                    return false;
                }
            }
            return true;
        }
        int first = (bytes[0] & 255) << 8 | bytes[1] & 255;
        int second = (bytes[2] & 255) << 8 | bytes[3] & 255;
        // Only 2000::/3 is public; in it 2001::/23 (Teredo among it), documentation and 6to4 are not.
        return first >> 13 == 1 && !(first == 0x2001 && (second < 0x200 || second == 0xdb8)) && first != 0x2002 && first != 0x3fff;
    }
}
