package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import module java.base;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// The style of the program's own code, where no linter checks it.
class StyleTest {
    /// This figure only falls.
    private static final int MOST_NULL_ARGUMENTS = 241;
    private static final Pattern FRAGMENT = Pattern.compile("\\s*///? ?(What|Whether|Of|As|Where|Who|How) .*");

    private static List<Path> sources(String root) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", root, "java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /// Conditional expressions within others, and `null` as an argument.
    private static final class Scan extends TreeScanner<Void, Boolean> {
        private final List<String> nested = new ArrayList<>();
        private int nulls;

        @Override
        public Void visitConditionalExpression(ConditionalExpressionTree tree, Boolean isInside) {
            if (Boolean.TRUE.equals(isInside)) {
                nested.add(tree.toString());
            }
            scan(tree.getCondition(), true);
            scan(tree.getTrueExpression(), true);
            return scan(tree.getFalseExpression(), true);
        }

        /// An argument is an expression of its own.
        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Boolean isInside) {
            count(call.getArguments());
            scan(call.getMethodSelect(), isInside);
            return scan(call.getArguments(), false);
        }

        @Override
        public Void visitNewClass(NewClassTree call, Boolean isInside) {
            count(call.getArguments());
            scan(call.getArguments(), false);
            return scan(call.getClassBody(), false);
        }

        private void count(List<? extends ExpressionTree> arguments) {
            nulls += (int) arguments.stream().filter(it -> it.getKind() == Kind.NULL_LITERAL).count();
        }
    }

    private static Scan scanned() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
                    files.getJavaFileObjectsFromPaths(sources("main")));
            Scan scan = new Scan();
            scan.scan(task.parse(), false);
            return scan;
        }
    }

    @Test
    void noConditionalStandsWithinAnotherAndNullIsSeldomAnArgument() throws IOException {
        Scan scan = scanned();
        assertThat(scan.nested).isEmpty();
        assertThat(scan.nulls).isBetween(1, MOST_NULL_ARGUMENTS);
    }

    /// A comment opens with a subject or a verb, in each of its lines, so that no fragment is read
    /// as a sentence.
    @Test
    void noLineOfACommentBeginsAsAFragmentDoes() throws IOException {
        List<String> fragments = new ArrayList<>();
        for (String root : List.of("main", "test", "tools")) {
            for (Path file : sources(root)) {
                Files.readString(file).lines().filter(FRAGMENT.asMatchPredicate())
                        .forEach(line -> fragments.add(file.getFileName() + ": " + line.strip()));
            }
        }
        assertThat(fragments).isEmpty();
    }
}
