"""Sentences of the documentation are short and use the field's words: language.py [--count].

A sentence has at most 35 words, and none of the words of WORDS. Code is not read, but its comments have none of the words of
COMMENT_WORDS, and the texts that the program shows none of TEXT_WORDS; inline code and a link count as the words that are shown.
--count prints how many there are of each, by page.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = 35
WORDS = ["beside", "stands", "lies", "by turns", "anew", "so that there is", "for want of", "ready-made", "film", "films",
         "let go", "tick", "ground", "in silence"]
COMMENT_WORDS = ["beside", "stands", "lies", "by turns", "anew", "for want of"]
TEXT_WORDS = ["beside", "stands", "lies", "by turns", "anew", "for want of", "ready-made", "films", "let go"]
TEXT_FOLDERS = ["app", "compute", "formats", "molecule", "render"]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "python/README.md"]
LATER = []


def pages():
    found = [ROOT / name for name in PAGES if (ROOT / name).exists()]
    docs = sorted((ROOT / "docs").rglob("*.md"))
    return found + [page for page in docs if page.parent.name not in LATER]


def blocks(text):
    """(line number, text) of paragraphs, list items and table cells; code and comments are left out."""
    fenced = False
    current, start = [], 0
    for number, line in enumerate(text.splitlines() + [""], 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        code = fenced or line.startswith("    ") and not current
        if code or line.startswith("<!--"):
            line = ""
        table = line.startswith("|")
        begins = re.match(r"\s*([-*] |\d+\. |#+ )", line)
        if (not line.strip() or table or begins) and current:
            yield start, " ".join(current)
            current = []
        if table:
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                if cell.strip(" -:"):
                    yield number, cell.strip()
        elif line.strip():
            if not current:
                start = number
            current.append(re.sub(r"^\s*([-*] |\d+\. |#+ )", "", line).strip())


def plain(text):
    text = re.sub(r"`[^`]*`", lambda m: "_" if " " not in m[0] else "_ _", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[*_]{2}", "", text)


def sentences(text):
    """Parts that end with a full stop, question mark or exclamation mark before something that begins a sentence."""
    return [s for s in re.split(r"(?<=[.!?])[)\"*]*\s+(?=[\"(`_*A-Z0-9])|(?<=:)\s+(?=\*\*)", text) if s.strip()]


def words(sentence):
    return [w for w in re.split(r"\s+", sentence) if re.search(r"[A-Za-z0-9_]", w)]


def faults(page):
    text = page.read_text()
    glossary = page.name == "CONTRIBUTING.md"
    for line, block in blocks(text):
        block = plain(block)
        for sentence in sentences(block):
            count = len(words(sentence))
            if count > LONGEST:
                yield line, "long", f"{count} words: {sentence[:80]}"
            for word in WORDS:
                if re.search(rf"\b{word}\b", sentence, re.IGNORECASE):
                    if not (glossary and len(words(sentence)) < 10):  # the cells that list words to avoid
                        yield line, word, sentence[:100]


def comment_faults():
    """(file, line, word) of words to avoid in // comments; "stands for" is a plain word."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.suffix not in (".cpp", ".h", ".cu", ".cuh") or parts[0] in ("build", ".git"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            comment = re.search(r"//(.*)", line)
            for word in COMMENT_WORDS if comment else []:
                if re.search(rf"\b{word}\b(?! for\b| in for\b|$)", comment[1]):
                    yield path.relative_to(ROOT), number, word


def text_faults():
    """(file, line, word) of words to avoid in the program's texts, which are in quotes and have a blank in them."""
    for folder in TEXT_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line.split(" // ")[0]):
                    for word in TEXT_WORDS if " " in text else []:
                        if re.search(rf"\b{word}\b", text, re.IGNORECASE):
                            yield path.relative_to(ROOT), number, word


def main():
    counting = "--count" in sys.argv
    total, by_kind = 0, {}
    for page in pages():
        found = list(faults(page))
        total += len(found)
        for line, kind, text in found:
            by_kind[kind] = by_kind.get(kind, 0) + 1
            if not counting:
                print(f"{page.relative_to(ROOT)}:{line}: {'sentence of ' if kind == 'long' else f'{kind!r}: '}{text}")
        if counting and found:
            longs = sum(kind == "long" for _, kind, _ in found)
            print(f"{page.relative_to(ROOT)}: {longs} long sentences, {len(found) - longs} words")
    for path, number, word in comment_faults():
        total += 1
        by_kind["in comments"] = by_kind.get("in comments", 0) + 1
        if not counting:
            print(f"{path}:{number}: {word!r} in a comment")
    for path, number, word in text_faults():
        total += 1
        by_kind["in texts"] = by_kind.get("in texts", 0) + 1
        if not counting:
            print(f"{path}:{number}: {word!r} in a text")
    if counting:
        print(dict(sorted(by_kind.items(), key=lambda item: -item[1])))
    sys.exit(1 if total and not counting else 0)


if __name__ == "__main__":
    main()
