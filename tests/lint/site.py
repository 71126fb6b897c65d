"""Every page of docs is in the site's navigation (mkdocs.yml) once, and every page that it names is there."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
named = re.findall(r"^ +- .*: ([\w/-]+\.md)$", (root / "mkdocs.yml").read_text(), re.MULTILINE)
there = {page.relative_to(root / "docs").as_posix() for page in (root / "docs").rglob("*.md")}
faults = [f"mkdocs.yml: {page} is not in nav" for page in sorted(there - set(named))]
faults += [f"mkdocs.yml: there is no docs/{page}" for page in sorted(set(named) - there)]
faults += [f"mkdocs.yml: {page} is in nav twice" for page in sorted({p for p in named if named.count(p) > 1})]
print("\n".join(faults) if faults else f"{len(named)} pages")
sys.exit(1 if faults else 0)
