#!/usr/bin/env python3
"""Writes docs/performance.md and docs/performance/*.md from the figures in docs/performance/data/*.json.

performance.py                      takes the figures of tables whose rows are kept in files, and writes the pages
performance.py --check              exits with 1 where a page or a table is not what its figures give; counts the kinds of tables
performance.py --run NAME [WORD...] runs build/release/bin/bench_NAME with these words and takes its figures into the tables that name
                                    it, then writes the pages

A file has a title and blocks: a text, {"heading"}, {"code"}, {"list"}, {"image": [alt, path]}, or {"table"} with columns, rows and,
where they hold for the whole table, machine, date and statistic. Each table has one of these:

"measured": a program fills it. It has the program, the kind of device, and lines: a regular expression for a printed line, whose
            groups are kept for the lines below; "row", the cells by which the row is known; and "cells", what goes into it, by column.
            Cells may say {group: } for thousands apart, {group:,} for commas, {group:*1e3} for three digits of a multiple. "names" has
            the words for what a group printed (other lines are passed over), "set" groups that are given, "needs" and "unless" groups
            that must be there or must not, "forget" groups that no longer hold. "kept" has the columns that not every row has from
            the program, "statistic" what holds for every run. "example" has lines as the program prints them, those of a row in one text, for the tests. Rows without
            a new figure are left out: a table is of one machine and one day.
"from":     it is reckoned from a file of rows: "file", "by" (a function of performance_rows.py) and the command that made the file.
"once":     measured once, by "command"; no program fills it. "recorded" is the day on which figures without a date were written down.
"stated":   nothing is measured; the text says where it comes from.
"""
import datetime
import json
import pathlib
import re
import subprocess
import sys
import textwrap

import performance_rows

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
DATA = DOCS / "performance" / "data"
KINDS = ("measured", "from", "once", "stated")
ONCE = "Tables marked *measured once* keep the figures of one measurement: no benchmark fills them."


class Printed(str):
    """A number as a program prints it, to be shown in other units or with its thousands apart."""

    def __format__(self, how):
        if how.startswith("*"):
            return f"{float(self) * float(how[1:]):#.3g}".rstrip(".")
        return f"{int(self):,}".replace(",", how) if how in (" ", ",") else str(self)


def wrapped(text, first="", rest=""):
    # Links, code and numbers are not broken.
    whole = re.sub(r"`[^`]*`|\]\([^)]*\)|\d+( \d{3})+\b|\d+ x \d+", lambda m: m[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(whole, 120, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def table(block):
    caption = ", ".join(block[key] for key in ("machine", "date") if block.get(key))
    once = "Measured once" if "once" in block else ""
    caption = ". ".join(part for part in (caption, block.get("statistic", ""), once) if part)
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
        parts += [ONCE] if any("once" in given for given in tables(page)) else []
        yield to, "\n\n".join(parts + [rendered(block) for block in page["blocks"]]) + "\n"


def tables(page):
    return [block["table"] for block in page["blocks"] if isinstance(block, dict) and "table" in block]


def faults(given):
    """What a table lacks for its kind."""
    kinds = [kind for kind in KINDS if kind in given]
    if len(kinds) != 1:
        return [f"expected one of {', '.join(KINDS)}, found {' and '.join(kinds) or 'none'}"]
    said = {**given, **(given[kinds[0]] if kinds[0] != "stated" else {})}
    needed = {"measured": ("machine", "date", "program", "device", "lines"), "from": ("machine", "date", "file", "by", "command"),
              "once": ("machine", "date", "command"), "stated": ()}[kinds[0]]
    # A table of several machines or days has columns for them.
    missing = [key for key in needed if not said.get(key) and not any(key in column for column in given["columns"])]
    missing = [key for key in missing if not (key == "date" and said.get("recorded"))]
    found = [f"{kinds[0]} without {', '.join(missing)}"] if missing else []
    if kinds[0] == "from" and not missing and performance_rows.of(said["by"], DOCS.parent / said["file"]) != given["rows"]:
        found.append(f"its rows are not what {said['file']} gives")
    return found


def take_rows():
    """The figures of tables that are reckoned from files of rows."""
    for path in sorted(DATA.glob("*.json")):
        page = json.loads(path.read_text())
        for given in tables(page):
            if "from" in given:
                given["rows"] = performance_rows.of(given["from"]["by"], DOCS.parent / given["from"]["file"])
        path.write_text(json.dumps(page, indent=1, ensure_ascii=False) + "\n")


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


def filled(text, known):
    """The text with its groups, or nothing where one of them was not printed."""
    try:
        return text.format(**{key: Printed(value) for key, value in known.items()})
    except KeyError:
        return None


def applies(rule, known, printed):
    names = rule.get("names", {})
    return (all(printed.get(group, known.get(group)) in words for group, words in names.items())
            and all(group in known for group in rule.get("needs", []))
            and not any(group in known for group in rule.get("unless", [])))


def take(table, printed):
    """The rows of a table from what its program printed; cells that no line fills keep what they had."""
    columns, known, rows = table["columns"], {}, []
    for line in printed.splitlines():
        for rule in table["measured"]["lines"]:
            match = re.search(rule["line"], line)
            groups = {key: value.strip() for key, value in match.groupdict().items() if value is not None} if match else {}
            if not match or not applies(rule, known, groups):
                continue
            for group in rule.get("forget", []):
                known.pop(group, None)
            known.update(groups)
            known.update(rule.get("set", {}))
            known.update({group: words[known[group]] for group, words in rule.get("names", {}).items() if group in groups})
            if "cells" not in rule:
                continue
            name = {column: filled(text, known) for column, text in rule["row"].items()}
            cells = {filled(column, known): filled(text, known) for column, text in rule["cells"].items()}
            cells = {column: text for column, text in cells.items() if column in columns and text is not None}
            if None in name.values() or not cells:
                continue
            fits = [row for row in rows if all(row[columns.index(c)] == text for c, text in name.items())]
            if not fits:
                before = [row for row in table["rows"] if all(row[columns.index(c)] == text for c, text in name.items())]
                fits = [list(before[0]) if before else [""] * len(columns)]
                rows.append(fits[0])
            for column, text in {**name, **cells}.items():
                fits[0][columns.index(column)] = text
    return rows


def run(name, words):
    """Runs a benchmark and rewrites the tables that it fills."""
    program = DOCS.parent / "build/release/bin" / f"bench_{name}"
    if not program.exists():
        sys.exit(f"{program.relative_to(DOCS.parent)} is not built: ./dev bench list names the programs")
    words = words[1:] if words[:1] == ["--"] else words
    where, kind = machine()
    files = {path: json.loads(path.read_text()) for path in sorted(DATA.glob("*.json"))}
    filled_by = [(path, given) for path, page in files.items() for given in tables(page)
                 if given.get("measured", {}).get("program") == name and given["measured"]["device"] == kind]
    if not filled_by:
        sys.exit(f"no table of docs/performance/data is filled by bench_{name} on this kind of device ({kind})")
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(done.stdout)
    if done.returncode != 0:
        sys.exit(f"bench_{name} failed")
    # A part of a program (its words name it) has some of the tables.
    taken = [(path, given, rows) for path, given in filled_by if (rows := take(given, done.stdout))]
    if not taken:
        sys.exit(f"bench_{name} printed no line that a table of docs/performance/data knows")
    for path, given, rows in taken:
        given.update(machine=where, date=datetime.date.today().isoformat(), rows=rows)
        given.update({key: given["measured"][key] for key in ("statistic",) if key in given["measured"]})
        path.write_text(json.dumps(files[path], indent=1, ensure_ascii=False) + "\n")


def check_tables():
    """Names the tables that are not what their figures give, and counts the kinds."""
    count, wrong = dict.fromkeys(KINDS, 0), 0
    for path in sorted(DATA.glob("*.json")):
        for number, given in enumerate(tables(json.loads(path.read_text())), 1):
            for kind in KINDS:
                count[kind] += kind in given
            for fault in faults(given):
                print(f"{path.name}, table {number}: {fault}")
                wrong += 1
    print(f"{sum(count.values())} tables: {count['measured']} filled by a benchmark, {count['from']} reckoned from files of rows, "
          f"{count['once']} measured once, {count['stated']} without measurements")
    return wrong


def main():
    wrong = 0
    if "--run" in sys.argv:
        words = sys.argv[sys.argv.index("--run") + 1:]
        run(words[0], words[1:])
    if "--check" in sys.argv:
        wrong = check_tables()
    else:
        take_rows()
    stale = []
    for path, text in pages():
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                stale.append(path)
        else:
            path.write_text(text)
    for path in stale:
        print(f"{path} is not what docs/performance/data gives: edit the figures there and run scripts/performance.py")
    sys.exit(1 if stale or wrong else 0)


if __name__ == "__main__":
    main()
