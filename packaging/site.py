"""Hooks of MkDocs: pages link to files of the source beyond docs, which come into the site with them."""

import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"(\]\()((?:\.\./)+[^)#\s]+)([)#])")


def beyond(page, target):
    """The path in the source that a link of a page names, where it is outside docs; else nothing."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
    return path if not path.startswith("docs/") and (ROOT / path).is_file() else None


def place(path):
    """Where a file of the source is in the site: pages as pages, so that docs/README.md stays the first one."""
    return f"source/{path.replace('README.md', 'about.md')}"


def pages_of_source():
    found, ahead = {}, [(page, page.read_text()) for page in sorted((ROOT / "docs").rglob("*.md"))]
    for page, text in ahead:
        for _, target, _ in LINK.findall(text):
            path = beyond(page.relative_to(ROOT / "docs").as_posix(), target)
            if path:
                found[place(path)] = path
    return found


def from_source(path, text):
    """Links of a page of the source: to docs where they go there, else their words alone."""
    here = posixpath.dirname(place(path))

    def link(match):
        words, target, end = match.groups()
        to = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        if to.startswith("docs/"):
            return f"{words}({posixpath.relpath(to[5:], here)}{end}"
        if place(to) in pages_of_source():
            return f"{words}({posixpath.relpath(place(to), here)}{end}"
        return words[1:-1] + (end[1:] if end.startswith(")") else "")

    return re.sub(r"(\[[^\]\n]*\])\(([^)#\s]+|#[^)\s]*)((?:#[^)\s]*)?\))", link, text)


def on_files(files, config):
    for name, path in pages_of_source().items():
        text = (ROOT / path).read_text()
        content = from_source(path, text) if path.endswith(".md") else text
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown, page, config, files):
    name = page.file.src_uri
    if name.startswith("source/"):
        return markdown

    def link(match):
        path = beyond(name, match[2])
        return match[1] + posixpath.relpath(place(path), posixpath.dirname(name) or ".") + match[3] if path else match[0]

    return LINK.sub(link, markdown)
