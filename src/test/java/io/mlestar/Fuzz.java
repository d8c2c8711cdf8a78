package io.mlestar;

import module java.base;

/// Texts that nobody would write, made from some that somebody did: cut, spliced, repeated and sown
/// with the words that a parser waits for. The same seed makes the same texts; `-Dfuzz.seed`
/// chooses other ones, `-Dfuzz.executions` more. For long searches see [FuzzTarget].
public final class Fuzz {
    private static final long SEED = Long.getLong("fuzz.seed", 20_260_101);
    private static final int EXECUTIONS = Integer.getInteger("fuzz.executions", 1_000);
    private static final int LONGEST = 100_000;
    /// The most of a processor's time for one text; far more than any of them needs.
    private static final Duration SLOWEST = Duration.ofSeconds(10);
    private static final String ODD =
            "\0\t\n\r\u001b\"'\\`~#$&|;<>(){}[]%,.:/-+=*?!@^_ 0179eEaZ\u0085\u00a0\u0130\u2028\u202e\ufeff\ud83d\ude00\ud800\udc00\uffff";

    private static boolean held;
    private static Fuzz last;

    private final Random random = new Random(SEED);
    private final List<String> seeds;
    private final List<String> words;
    private Consumer<String> parser;

    /// @param seeds texts that are read well
    /// @param words that mean something to the parser
    public Fuzz(List<String> seeds, List<String> words) {
        this.seeds = seeds;
        this.words = words;
    }

    /// Gives all texts to a parser, which must come to an end with each, and fail in no other way
    /// than it says.
    ///
    /// @param refusals exceptions that say that the text is not good
    @SafeVarargs
    public final void feed(Consumer<String> tried, Class<? extends RuntimeException>... refusals) {
        parser = text -> check(tried, List.of(refusals), text);
        last = this;
        for (int execution = 0; execution < EXECUTIONS && !held; execution++) {
            String text = text();
            long begin = CpuTime.thread();
            try {
                parser.accept(text);
            } catch (AssertionError e) {
                throw new AssertionError(said(execution, text), e);
            }
            Duration took = Duration.ofNanos(CpuTime.thread() - begin);
            if (took.compareTo(SLOWEST) > 0) {
                throw new AssertionError("it took " + took + ": " + said(execution, text));
            }
        }
    }

    private static void check(Consumer<String> parser, List<Class<? extends RuntimeException>> refusals, String text) {
        try {
            parser.accept(text);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            if (refusals.stream().noneMatch(refusal -> refusal.isInstance(e))) {
                throw new AssertionError(e);
            }
        }
    }

    /// The texts that a test would feed, and has not.
    static Fuzz heldBy(Runnable test) {
        held = true;
        try {
            test.run();
            return last;
        } finally {
            held = false;
        }
    }

    List<String> seeds() {
        return seeds;
    }

    List<String> words() {
        return words;
    }

    /// Fails with an [AssertionError] if the parser fails otherwise than it says.
    Consumer<String> parser() {
        return parser;
    }

    private static String said(int execution, String text) {
        String shown =
                text.length() > 600 ? text.substring(0, 300) + " … " + text.substring(text.length() - 300) : text;
        return "seed " + SEED + ", execution " + execution + ", " + text.length() + " characters: " + shown;
    }

    private String text() {
        StringBuilder text = new StringBuilder(any(seeds));
        for (int change = random.nextInt(8); change >= 0; change--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + 1 + random.nextInt(1 << random.nextInt(8)));
            switch (random.nextInt(8)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, text.substring(at, end));
                case 2 -> text.insert(at, any(words));
                case 3 -> text.insert(at, ODD.charAt(random.nextInt(ODD.length())));
                case 4 -> text.setLength(at);
                case 5 -> text.insert(at, any(seeds));
                case 6 -> text.insert(at, any(words) + ODD.charAt(random.nextInt(ODD.length())) + any(words));
                // Seldom, but that is what is slow or deep.
                default -> {
                    String piece = random.nextBoolean() || at == end ? any(words) : text.substring(at, end);
                    if (random.nextInt(4) == 0 && text.length() < LONGEST) {
                        text.insert(at,
                                piece.repeat(1 + random.nextInt(1 + LONGEST / 4 / Math.max(1, piece.length()))));
                    }
                }
            }
        }
        return text.toString();
    }

    private String any(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
