package io.mlestar.adapter.bucket;

import module java.base;

/// Stands between a client and a server and does to its answers what networks and busy servers do.
public final class Meddler implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?mi)^content-length: *(\\d+)");

    /// Something that happens to a request.
    public sealed interface Fault {
        /// The server does what it is asked; its answer never arrives.
        record LostAnswer() implements Fault {}

        /// Half of the answer arrives.
        record HalfAnswer() implements Fault {}

        /// The server is not asked; this answer is given.
        record Refusal(int status, String code) implements Fault {}

        /// Nobody answers.
        record Silence() implements Fault {}

        /// This happens, and the server is not asked: whoever would have asked is gone.
        record Instead(Runnable deed) implements Fault {}

        /// While the request is under way, this happens; then all goes its way.
        record Meanwhile(Runnable deed) implements Fault {}
    }

    private record Planned(String start, Fault fault) {}

    /// The faults of a bucket, and of the network before it, on an ordinary day (Amazon S3 User
    /// Guide, "Best practices design patterns": 503 `SlowDown`; 500 `InternalError`; answers that
    /// are lost or cut off).
    private static final List<Fault> USUAL =
            List.of(new Fault.Refusal(503, "SlowDown"), new Fault.Refusal(500, "InternalError"), new Fault.LostAnswer(),
                    new Fault.HalfAnswer());

    private final URI server;
    private final ServerSocket socket;
    private final Queue<Planned> plan = new ConcurrentLinkedQueue<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final Queue<String> heads = new ConcurrentLinkedQueue<>();
    private BooleanSupplier badMoment = () -> false;

    public Meddler(URI server) throws IOException {
        this.server = server;
        this.socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /// The next requests that begin with `start`, e.g. `PUT` or `GET /bucket/key`, meet these, one
    /// each.
    public Meddler with(String start, Fault... faults) {
        for (Fault fault : faults) {
            plan.add(new Planned(start, fault));
        }
        return this;
    }

    /// First lines and headers of all requests.
    public List<String> heads() {
        return List.copyOf(heads);
    }

    /// Every so often some request meets what happens on an ordinary day.
    public Meddler oneIn(int requests, Random random) {
        badMoment = () -> {
            synchronized (random) {
                return random.nextInt(requests) == 0;
            }
        };
        return this;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                open.add(client);
                Thread.startVirtualThread(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            byte[] head = head(client.getInputStream());
            String text = new String(head, StandardCharsets.ISO_8859_1);
            if (text.isEmpty()) {
                return;
            }
            Matcher length = LENGTH.matcher(text);
            byte[] body = client.getInputStream().readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            heads.add(text);
            Fault fault = plan.stream().filter(planned -> text.startsWith(planned.start())).findFirst()
                    .filter(plan::remove).map(Planned::fault)
                    .orElseGet(() -> badMoment.getAsBoolean() ? USUAL.get(Math.floorMod(text.hashCode(), USUAL.size()))
                            : null);
            byte[] answer = switch (fault) {
                case null -> forward(text, body);
                case Fault.LostAnswer() -> {
                    forward(text, body);
                    yield new byte[0];
                }
                case Fault.HalfAnswer() -> {
                    byte[] whole = forward(text, body);
                    yield java.util.Arrays.copyOf(whole, whole.length - bodyLength(whole) / 2);
                }
                case Fault.Refusal(int status, String code) -> refusal(status, code);
                case Fault.Silence() -> {
                    client.getInputStream().read();
                    yield new byte[0];
                }
                case Fault.Instead(Runnable deed) -> {
                    deed.run();
                    yield new byte[0];
                }
                case Fault.Meanwhile(Runnable deed) -> {
                    deed.run();
                    yield forward(text, body);
                }
            };
            client.getOutputStream().write(answer);
            client.getOutputStream().flush();
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static int bodyLength(byte[] answer) {
        return answer.length - new String(answer, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n") - 4;
    }

    private static byte[] refusal(int status, String code) {
        String xml = "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>said by a test</Message></Error>";
        return ("HTTP/1.1 " + status + " X\r\nContent-Type: application/xml\r\nContent-Length: " + xml.length()
                + "\r\nConnection: close\r\n\r\n" + xml).getBytes(StandardCharsets.ISO_8859_1);
    }

    private byte[] forward(String head, byte[] body) throws IOException {
        try (Socket upstream = new Socket(server.getHost(), server.getPort())) {
            OutputStream out = upstream.getOutputStream();
            String once = head.replaceFirst("(?mi)^connection: .*\\r\\n", "").replaceFirst("\\r\\n",
                    "\r\nConnection: close\r\n");
            out.write(once.getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
            out.flush();
            return upstream.getInputStream().readAllBytes();
        }
    }

    private static byte[] head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return new byte[0];
            }
            head.write(next);
        }
        return head.toByteArray();
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket client : open) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
