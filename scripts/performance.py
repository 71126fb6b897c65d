#!/usr/bin/env python3
"""Writes docs/performance.md and docs/performance/*.md from the figures in docs/performance/data/*.json.

performance.py          writes the pages
performance.py --check  exits with 1 where a page is not what its figures give

A file has a title and blocks: a text, {"heading"}, {"code"}, {"list"}, {"image": [alt, path]}, or {"table"} with columns, rows and,
where they hold for the whole table, machine, date and statistic.
"""
import json
import pathlib
import re
import sys
import textwrap

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
DATA = DOCS / "performance" / "data"


def wrapped(text, first="", rest=""):
    # Links, code and numbers are not broken.
    whole = re.sub(r"`[^`]*`|\]\([^)]*\)|\d+( \d{3})+\b|\d+ x \d+", lambda m: m[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(whole, 120, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def table(block):
    caption = ", ".join(block[key] for key in ("machine", "date") if block.get(key))
    caption = ". ".join(part for part in (caption, block.get("statistic", "")) if part)
    lines = [wrapped(f"*{caption}.*"), ""] if caption else []
    lines += ["| " + " | ".join(block["columns"]) + " |", "|" + "---|" * len(block["columns"])]
    for row in block["rows"]:
        if len(row) != len(block["columns"]):
            sys.exit(f"a row of {len(row)} cells under {len(block['columns'])} columns: {row}")
        lines.append(re.sub(r"\|  (?=\|)", "| ", "| " + " | ".join(row) + " |"))
    return "\n".join(lines)


def rendered(block):
    if isinstance(block, str):
        return wrapped(block)
    if "heading" in block:
        return "#" * block.get("level", 2) + " " + block["heading"]
    if "code" in block:
        return "\n".join("    " + line for line in block["code"].splitlines())
    if "list" in block:
        return "\n".join(wrapped(text, "- ", "  ") for text in block["list"])
    if "image" in block:
        return "![{}]({})".format(*block["image"])
    return table(block["table"])


def pages():
    for path in sorted(DATA.glob("*.json")):
        page = json.loads(path.read_text())
        to = DOCS / "performance.md" if path.stem == "index" else DOCS / "performance" / f"{path.stem}.md"
        source = path.relative_to(to.parent)
        parts = [f"# {page['title']}", f"<!-- written by scripts/performance.py from {source} -->"]
        yield to, "\n\n".join(parts + [rendered(block) for block in page["blocks"]]) + "\n"


def main():
    stale = []
    for path, text in pages():
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                stale.append(path)
        else:
            path.write_text(text)
    for path in stale:
        print(f"{path} is not what docs/performance/data gives: edit the figures there and run scripts/performance.py")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
