#!/usr/bin/env python3
"""Writes docs/performance.md and docs/performance/*.md from the figures in docs/performance/data/*.json.

performance.py                      writes the pages
performance.py --check              exits with 1 where a page is not what its figures give
performance.py --run NAME [WORD...] runs build/release/bin/bench_NAME with these words and takes its figures into the tables that name
                                    it, then writes the pages

A file has a title and blocks: a text, {"heading"}, {"code"}, {"list"}, {"image": [alt, path]}, or {"table"} with columns, rows and,
where they hold for the whole table, machine, date and statistic. A table that a program fills has "measured": the program, the kind
of device, and lines: a regular expression for a printed line, whose groups are kept for the lines below; "row", the cells by which the
row is known; and "cells", what goes into it, by column. "example" has lines as the program prints them, one a row, for the tests. Rows without a new figure are left out: a table is of one machine and one day.
"""
import datetime
import json
import pathlib
import re
import subprocess
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


def machine():
    """This machine in words, and whether it computes on a GPU."""
    try:
        line = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                              text=True, check=True).stdout.splitlines()[0]
        name, driver = line.split(", ")
        return f"{name}, driver {driver}", "cuda"
    except (OSError, subprocess.CalledProcessError, IndexError):
        cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
        threads = len(re.findall(r"^processor", pathlib.Path("/proc/cpuinfo").read_text(), re.M))
        return f"{threads} threads of {cpu[1] if cpu else 'a processor'}", "cpu"


def take(table, printed):
    """The rows of a table from what its program printed; cells that no line fills keep what they had."""
    columns, known, rows = table["columns"], {}, []
    for line in printed.splitlines():
        for rule in table["measured"]["lines"]:
            match = re.search(rule["line"], line)
            if not match:
                continue
            known.update({key: value.strip() for key, value in match.groupdict().items() if value is not None})
            if "cells" not in rule:
                continue
            name = {column: text.format(**known) for column, text in rule["row"].items()}
            fits = [row for row in rows if all(row[columns.index(c)] == text for c, text in name.items())]
            if not fits:
                before = [row for row in table["rows"] if all(row[columns.index(c)] == text for c, text in name.items())]
                fits = [list(before[0]) if before else [""] * len(columns)]
                rows.append(fits[0])
            for column, text in {**name, **rule["cells"]}.items():
                fits[0][columns.index(column)] = text.format(**known)
    return rows


def run(name, words):
    """Runs a benchmark and rewrites the tables that it fills."""
    program = DOCS.parent / "build/release/bin" / f"bench_{name}"
    if not program.exists():
        sys.exit(f"{program.relative_to(DOCS.parent)} is not built: ./dev bench list names the programs")
    words = words[1:] if words[:1] == ["--"] else words
    where, kind = machine()
    files = {path: json.loads(path.read_text()) for path in sorted(DATA.glob("*.json"))}
    tables = [(path, block["table"]) for path, page in files.items() for block in page["blocks"]
              if isinstance(block, dict) and block.get("table", {}).get("measured", {}).get("program") == name
              and block["table"]["measured"]["device"] == kind]
    if not tables:
        sys.exit(f"no table of docs/performance/data is filled by bench_{name} on this kind of device ({kind})")
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(done.stdout)
    if done.returncode != 0:
        sys.exit(f"bench_{name} failed")
    for path, table_of in tables:
        rows = take(table_of, done.stdout)
        if not rows:
            sys.exit(f"bench_{name} printed no line that a table of {path.name} knows")
        table_of.update(machine=where, date=datetime.date.today().isoformat(), rows=rows)
        path.write_text(json.dumps(files[path], indent=1, ensure_ascii=False) + "\n")


def main():
    if "--run" in sys.argv:
        words = sys.argv[sys.argv.index("--run") + 1:]
        run(words[0], words[1:])
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
