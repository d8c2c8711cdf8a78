package io.mlestar.app.web;

import io.mlestar.Waiting;
import module java.base;

/// Requests as they stand on the wire, which no client library would send.
///
/// @param text all that came back
public record RawHttp(String text) {

    /// Sends these bytes as they are and reads until the server closes.
    public static RawHttp send(URI server, String request) throws IOException {
        return send(server, request.getBytes(StandardCharsets.UTF_8));
    }

    public static RawHttp send(URI server, byte[]... parts) throws IOException {
        try (Socket socket = open(server, "")) {
            for (byte[] part : parts) {
                socket.getOutputStream().write(part);
            }
            return new RawHttp(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /// Sends these bytes and leaves the line open.
    public static Socket open(URI server, String request) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        socket.setSoTimeout((int) Waiting.MOST.toMillis());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    /// @param line method and target
    /// @param headers each with its name, apart by line ends
    public static String request(String line, String headers, String body) {
        return line + " HTTP/1.1\r\nConnection: close\r\n"
                + (headers.isBlank() ? "" : headers.strip().replace("\n", "\r\n") + "\r\n")
                + (line.startsWith("GET") || line.startsWith("HEAD") ? ""
                        : "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n")
                + "\r\n" + body;
    }

    /// Zero if there was no answer.
    public int status() {
        return text.startsWith("HTTP/1.1 ") ? Integer.parseInt(text.substring(9, 12)) : 0;
    }

    public Optional<String> header(String name) {
        return text.lines().takeWhile(line -> !line.isEmpty())
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                .map(line -> line.substring(name.length() + 1).strip()).findFirst();
    }

    public String body() {
        int end = text.indexOf("\r\n\r\n");
        return end < 0 ? "" : text.substring(end + 4);
    }
}
