package io.mlestar;

import io.mlestar.adapter.tool.ToolsFuzzTest;
import io.mlestar.core.agent.ParsersFuzzTest;
import module java.base;
import org.junit.jupiter.api.Test;

/// Lets Jazzer, which looks for new branches, make up the texts for the parsers that the tests feed
/// with [Fuzz] (`make fuzz`). It calls [#fuzzerInitialize] once and [#fuzzerTestOneInput] for each
/// text.
public final class FuzzTarget {
    private static final List<Class<?>> TESTS = List.of(ParsersFuzzTest.class, ToolsFuzzTest.class);

    private static Consumer<String> parser;

    private FuzzTarget() {}

    /// Prints the names of all targets, and writes what each is to begin with: `FOLDER/NAME/corpus`
    /// and `FOLDER/NAME/words.dict`.
    public static void main(String[] arguments) throws Exception {
        for (Method test : tests().toList()) {
            Path folder = Path.of(arguments[0], test.getName());
            Fuzz fuzz = Fuzz.heldBy(() -> call(test));
            Files.createDirectories(folder.resolve("corpus"));
            for (int i = 0; i < fuzz.seeds().size(); i++) {
                Files.writeString(folder.resolve("corpus/seed" + i), fuzz.seeds().get(i));
            }
            Files.write(folder.resolve("words.dict"), fuzz.words().stream().map(FuzzTarget::quoted).toList());
            System.out.println(test.getName());
        }
    }

    /// @param arguments name of the target
    public static void fuzzerInitialize(String[] arguments) {
        Method test = tests().filter(method -> method.getName().equals(arguments[0])).findFirst().orElseThrow();
        parser = Fuzz.heldBy(() -> call(test)).parser();
    }

    public static void fuzzerTestOneInput(byte[] text) {
        parser.accept(new String(text, StandardCharsets.UTF_8));
    }

    private static Stream<Method> tests() {
        return TESTS.stream().flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class));
    }

    private static void call(Method test) {
        try {
            Constructor<?> constructor = test.getDeclaringClass().getDeclaredConstructor();
            constructor.setAccessible(true);
            test.setAccessible(true);
            test.invoke(constructor.newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(test.getName(), e);
        }
    }

    /// A line of libFuzzer's dictionaries.
    private static String quoted(String word) {
        StringBuilder line = new StringBuilder("\"");
        for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
            line.append(b >= ' ' && b != '"' && b != '\\' ? Character.toString(b) : "\\x%02X".formatted(b));
        }
        return line.append('"').toString();
    }
}
