package io.mlestar.web;

import io.mlestar.web.Contents.ContentsLink;
import io.mlestar.web.Contents.ContentsPart;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/// The documents of the project as HTML, from the same Markdown that the repository shows. `docs/README.md` is their contents; what it links, directly or by another document, is one of
/// them. A link to anything else of the repository is no link here.
@Singleton
class Documents {
    static final String ADDRESS = "/docs";
    private static final String ALL = ADDRESS + "/all";
    private static final String CONTENTS = "docs/README.md";

    /// By their paths in the repository, in the order of the contents.
    private final SequencedMap<String, Node> documents = new LinkedHashMap<>();
    private final List<ContentsPart> parts = new ArrayList<>();
    /// By address, each made once, when it is first read: a document does not change, and there are no more pages than documents.
    private final Map<String, PageTemplates.document> pages = new ConcurrentHashMap<>();
    private final String assets = new StaticFiles().version();

    Documents() {
        Parser parser = Parser.builder().extensions(List.of(TablesExtension.create())).build();
        Deque<String> open = new ArrayDeque<>(List.of(CONTENTS));
        while (!open.isEmpty()) {
            String path = open.removeFirst();
            if (!documents.containsKey(path)) {
                Optional<String> text = read(path);
                if (text.isPresent()) {
                    Node document = prepared(parser.parse(text.get()));
                    documents.put(path, document);
                    linked(path, document).forEach(open::addLast);
                }
            }
        }
        contents();
    }

    private static Optional<String> read(String path) {
        try (InputStream content = Documents.class.getResourceAsStream("/documents/" + path)) {
            return content == null ? Optional.empty() : Optional.of(new String(content.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Without comments, and with the picture in place of the text that GitHub draws.
    private static Node prepared(Node document) {
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(HtmlBlock comment) {
                comment.unlink();
            }

            @Override
            public void visit(FencedCodeBlock code) {
                if ("mermaid".equals(code.getInfo())) {
                    Paragraph paragraph = new Paragraph();
                    Image picture = new Image("workflow.svg", null);
                    picture.appendChild(new Text("Which function asks which, by events"));
                    paragraph.appendChild(picture);
                    code.insertAfter(paragraph);
                    code.unlink();
                }
            }
        });
        return document;
    }

    private static List<String> linked(String from, Node document) {
        List<String> linked = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                String target = target(from, link.getDestination());
                if (target.endsWith(".md")) {
                    linked.add(target);
                }
            }
        });
        return linked;
    }

    /// Where a link leads in the repository.
    private static String target(String from, String link) {
        String path = link.replaceFirst("#.*$", "");
        return path.isEmpty() ? from : path.contains(":") ? "" : Path.of(from).resolveSibling(path).normalize().toString();
    }

    /// The headings and lists of the contents.
    private void contents() {
        Objects.requireNonNull(documents.get(CONTENTS), CONTENTS).accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (heading.getLevel() > 1) {
                    parts.add(new ContentsPart(words(heading), new ArrayList<>()));
                }
            }

            @Override
            public void visit(Link link) {
                parts.getLast().links().add(new ContentsLink(words(link), address(target(CONTENTS, link.getDestination()))));
            }
        });
    }

    private static String words(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }
        });
        return words.toString();
    }

    /// `docs/decisions/README.md` is at `/docs/decisions`, `CHANGELOG.md` at `/docs/changelog`.
    private static String address(String path) {
        String name = path.replaceFirst("^docs/", "").replaceFirst("\\.md$", "");
        return path.equals(CONTENTS) ? ADDRESS : ADDRESS + "/" + name.replaceFirst("^(.+)/README$", "$1").toLowerCase(Locale.ROOT);
    }

    /// @param address of one document, or of all
    /// @return empty if there is none
    Optional<PageTemplates.document> page(String address) {
        return Optional.ofNullable(pages.computeIfAbsent(address, this::made));
    }

    private PageTemplates.@Nullable document made(String address) {
        if (address.equals(ALL)) {
            return page(address, "All documents", documents.entrySet().stream().map(one -> html(one.getKey(), one.getValue(), true)).toList());
        }
        return documents.entrySet().stream().filter(one -> address(one.getKey()).equals(address)).findFirst()
                .map(one -> page(address, words(one.getValue().getFirstChild()), List.of(html(one.getKey(), one.getValue(), false)))).orElse(null);
    }

    private PageTemplates.document page(String address, String title, List<String> articles) {
        return new PageTemplates.document(new Contents(parts, address), title, articles, assets);
    }

    /// @param together whether all documents are on the page, so that what is known by its place in a document needs the document's name, too
    private String html(String path, Node document, boolean together) {
        String prefix = together ? address(path).substring(1) + "--" : "";
        Map<String, Integer> seen = new LinkedHashMap<>();
        AttributeProvider attributes = (node, tag, given) -> {
            switch (node) {
                case Heading heading when heading.getLevel() == 1 && together -> given.put("id", address(path).substring(1));
                case Heading heading -> {
                    String anchor = anchor(words(heading));
                    int before = seen.merge(anchor, 1, Integer::sum) - 1;
                    given.put("id", prefix + anchor + (before == 0 ? "" : "-" + before));
                }
                case Link link ->
                    rewritten(path, link.getDestination(), together).ifPresentOrElse(address -> given.put("href", address), () -> given.remove("href"));
                case Image picture -> given.put("src", "/web/" + Path.of(picture.getDestination()).getFileName() + "?v=" + assets);
                default -> {}
            }
        };
        return HtmlRenderer.builder().extensions(List.of(TablesExtension.create())).escapeHtml(true)
                .attributeProviderFactory(context -> attributes).build().render(document)
                .replace("<table>", "<div class=\"scrolls\"><table>").replace("</table>", "</table></div>");
    }

    /// As GitHub makes it of a heading.
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
    }

    /// @return empty for what is no document
    private Optional<String> rewritten(String from, String link, boolean together) {
        if (link.contains("://")) {
            return Optional.of(link);
        }
        String target = target(from, link);
        String anchor = link.contains("#") ? link.substring(link.indexOf('#') + 1) : "";
        if (!documents.containsKey(target)) {
            return Optional.empty();
        }
        String address = address(target);
        return Optional.of(together ? "#" + address.substring(1) + (anchor.isEmpty() ? "" : "--" + anchor)
                : address + (anchor.isEmpty() ? "" : "#" + anchor));
    }
}
