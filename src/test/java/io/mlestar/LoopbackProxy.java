package io.mlestar;

import module java.base;

/// An HTTP proxy on this machine. It answers in place of every server, and tunnels to none.
public final class LoopbackProxy implements AutoCloseable {
    /// A request as the proxy got it.
    ///
    /// @param line e.g. `GET http://a.example/ HTTP/1.1`
    /// @param headers by name, whatever its case
    public record Passed(String line, Map<String, String> headers) {}

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Passed> passed = new CopyOnWriteArrayList<>();
    private final String answer;

    /// @param answer JSON, to every request
    public LoopbackProxy(String answer) throws IOException {
        this.answer = answer;
        Thread.startVirtualThread(this::serve);
    }

    /// @param credentials empty, or `user:password@`
    public String url(String credentials) {
        return "http://" + credentials + "127.0.0.1:" + server.getLocalPort();
    }

    public List<Passed> passed() {
        return List.copyOf(passed);
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.startVirtualThread(() -> answer(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            String line = line(in);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                headers.put(header.substring(0, header.indexOf(':')),
                        header.substring(header.indexOf(':') + 1).strip());
            }
            in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
            passed.add(new Passed(line, headers));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            String status = line.startsWith("CONNECT") ? "403 Forbidden" : "200 OK";
            client.getOutputStream().write(("HTTP/1.1 " + status
                    + "\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: " + body.length
                    + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write(body);
            client.getOutputStream().flush();
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
