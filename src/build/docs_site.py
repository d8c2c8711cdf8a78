"""Makes pages of the repository's Markdown, for MkDocs: the menu is docs/README.md's, the top folder's documents are pages, too, and a link to anything
that is no page is plain text."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

TOP = Path(__file__).resolve().parents[2]
PAGES = {"README.md": "project.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
         "src/main/resources/web/workflow.svg": "workflow.svg"}
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)#\s]*)(#[^)\s]+)?\)")
FENCE = re.compile(r"(?ms)(^ *```.*?^ *```$)")


def _uri(source, link):
    """The page that a link of a file of the repository leads to; None if it is none."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    page = PAGES.get(path) or path.removeprefix("docs/")
    return page if path in PAGES or path.startswith("docs/") and not path.startswith("docs/interfaces/") else None


def on_config(config):
    sections = [{"Home": "README.md"}]
    for title, body in re.findall(r"(?ms)^## (.+?)$(.*?)(?=^## |\Z)", (TOP / "docs/README.md").read_text("utf-8")):
        links = [(text, _uri("docs/README.md", link)) for text, link, _ in LINK.findall(body)]
        sections.append({title: [{text: _with_its_folder(page)} for text, page in links]})
    config.nav = sections
    return config


def _with_its_folder(page):
    folder = posixpath.dirname(page)
    others = sorted((TOP / "docs" / folder).glob("*.md")) if folder else []
    return [page, *(f"{folder}/{other.name}" for other in others if other.name != "README.md")] if others else page


def on_files(files, config):
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(TOP / source)))
    return files


def on_page_markdown(markdown, page, config, files):
    source = next((path for path, uri in PAGES.items() if uri == page.file.src_uri), f"docs/{page.file.src_uri}")
    here = posixpath.dirname(page.file.src_uri)

    def rewritten(match):
        text, link, anchor = match.groups()
        if "://" in link or not link:
            return match[0]
        target = _uri(source, link)
        return f"[{text}]({posixpath.relpath(target, here or '.')}{anchor or ''})" if target else text

    parts = FENCE.split(markdown)
    return "".join(_picture(part, here) if part.lstrip().startswith("```") else LINK.sub(rewritten, _pipes(part)) for part in parts)


def _pipes(text):
    """GitHub wants a pipe in the code of a table escaped, Python's Markdown does not."""
    return re.sub("`[^`\n]+`", lambda code: code[0].replace("\\|", "|"), text)


def _picture(code, here):
    """In place of the text that GitHub draws."""
    return f"![Workflow: functions and the events between them]({posixpath.relpath('workflow.svg', here or '.')})" if "```mermaid" in code else code
