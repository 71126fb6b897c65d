#!/usr/bin/env python3
"""Writes the types of the Python package's functions, with the options that `PROGRAM ... --help` gives.

    scripts/stubs.py build/release/bin/isolume

writes python/isolume/verbs.pyi. tests/python/package.py fails where an option is missing.
"""
import keyword
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import man

STUB = pathlib.Path(__file__).resolve().parents[1] / "python" / "isolume" / "verbs.pyi"

HEAD = '''# The types of the verbs and their options: written by scripts/stubs.py from --help.
import os
import pathlib
from typing import Any, Callable, Iterable, List, Literal, Optional, Sequence, TypedDict, Union, overload

import numpy as np
from typing_extensions import Unpack

from .results import Energies, Mesh, Picture, PointValues, Result, Table, Volume

Path = Union[str, "os.PathLike[str]"]
Files = Union[Path, Iterable[Path]]
Value = Union[str, float, "os.PathLike[str]", Iterable[Union[str, float, "os.PathLike[str]"]], None]
Flag = Optional[bool]
Points = Union[Path, "np.ndarray[Any, Any]", Sequence[Sequence[float]]]

class CommonOptions(TypedDict, total=False):
    device: Value
    threads: Optional[int]
    memory_limit: Optional[float]
    report: Optional[Path]
    quiet: Flag
    progress: Union[bool, Callable[[float, str], object], None]

'''


def python_name(option):
    name = option[2:].replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def type_of(value, meaning):
    """Of an option by what its value is called; either of those that may stand without one."""
    if not value:
        return "Flag"
    return "Union[Value, bool]" if "=" in value else "Value"


def named_options(program, words):
    """{name: type} of a verb."""
    found = {}
    for names, value, meaning in options_with_values(man.help_of(program, words)):
        for name in names:
            if name.startswith("--"):
                found[python_name(name)] = type_of(value, meaning)
    return found


def options_with_values(text):
    """man.options(), with what a value is called as it stands, and flags that may have a value."""
    for line in text.splitlines():
        begins = re.match(r"  (-[-,a-zA-Z]+)(\{[^}]*\})?(.*)", line)
        if not begins or line.startswith("   "):
            continue
        names = begins[1].split(",")
        if names[-1] in man.COMMON:
            continue
        value = re.sub(r" (Excludes|Needs): .*", "", begins[3].partition("  ")[0]).strip()
        yield names, value + ("=" if begins[2] else ""), begins[3].partition("  ")[2].strip()


def class_name(words):
    return "".join(part.capitalize() for word in words for part in word.split("-")) + "Options"


def typed_dict(words, named, without):
    lines = [f"class {class_name(words)}(CommonOptions, total=False):"]
    lines += [f"    {name}: {kind}" for name, kind in named.items() if name not in without] or ["    ..."]
    return "\n".join(lines) + "\n"


def compute_results(program, word, named):
    """[(parameters that choose, what is given back)] as verbs._compute() does it, the usual one last."""
    text = man.help_of(program, ["compute", word])
    meaning, value = "", ""
    for names, of_value, of_meaning in options_with_values(text):
        if "--out" in names:
            value = of_value
            rest = text[text.index(names[-1]) :].splitlines()[1:]
            meaning = of_meaning + " " + " ".join(
                line.strip() for line in rest[: next((i for i, l in enumerate(rest) if not l.startswith(" " * 20)), 0)])
    results = []
    if "third" in named:  # more than two sides that are compared
        return [
            ({"at": "Points", "third": "Value = ..."}, "PointValues"),
            ({"third": "Value"}, "List[Volume]"),
            ({}, "Volume"),
        ]
    if "at" in named:
        results.append(({"at": "Points"}, "PointValues"))
    if value.endswith(".npy"):
        return results + [({}, "Energies")]
    if "cube" in meaning or "mrc" in meaning:
        if "faces" in named:
            results.append(({"faces": "Literal[True]"}, "Table"))
        if "slice" in named:
            results.append(({"slice": "Value"}, "Union[Mesh, Result]"))
        if "orbital" in named:
            # In this order: a text is a sequence too.
            results.append(({"orbital": "Union[str, int] = ..."}, "Volume"))
            results.append(({"orbital": "Sequence[Union[str, int]]"}, "List[Volume]"))
            return results
        return results + [({}, "Volume")]
    return results + [({}, "Union[Mesh, Result]" if "ply" in meaning else "Table")]


def compute_method(program, word):
    words = ["compute", word]
    named = named_options(program, words)
    results = compute_results(program, word, named)
    special = [name for chosen, _ in results for name in chosen if name in named]
    lines = []
    for chosen, result in results:
        lines += ["    @overload"] if len(results) > 1 else []
        parameters = [f"{name}: {kind}" for name, kind in chosen.items()]
        # What chooses another result is not given here, but may be None; an orbital is.
        for name in dict.fromkeys(special):
            if name not in chosen:
                kind = {"orbital": "Value", "faces": "Literal[False, None]"}.get(name, "None")
                parameters.append(f"{name}: {kind} = ...")
        first = ", ".join(["self", "files: Files", *(["*", *parameters] if parameters else [])])
        ignored = "  # type: ignore[overload-overlap]" if "orbital" in special else ""
        lines += [f"    def {word.replace('-', '_')}({ignored}", f"        {first},",
                  f"        **options: Unpack[{class_name(words)}],", f"    ) -> {result}: ..."]
    return typed_dict(words, named, special), "\n".join(lines) + "\n"


def stub(program):
    text = [HEAD]
    for word in ("info", "devices", "convert", "merge", "render", "replay"):
        text.append(typed_dict([word], named_options(program, [word]), ["out"]) + "\n")
    methods = []
    for words in man.subcommands(program, ["compute"]):
        options, method = compute_method(program, words[1])
        text.append(options + "\n")
        methods.append(method)
    text.append('''def info(files: Files = (), **options: Unpack[InfoOptions]) -> Any: ...
def devices(**options: Unpack[DevicesOptions]) -> Any: ...
def convert(files: Files, out: Path, **options: Unpack[ConvertOptions]) -> pathlib.Path: ...
def merge(
    parts: Files, out: Optional[Path] = None, **options: Unpack[MergeOptions]
) -> Union[Volume, pathlib.Path]: ...
@overload
def render(files: Files, out: None = None, **options: Unpack[RenderOptions]) -> Picture: ...
@overload
def render(files: Files, out: Path, **options: Unpack[RenderOptions]) -> Union[Picture, pathlib.Path]: ...
@overload
def replay(picture: Union[Path, Picture], out: None = None, **options: Unpack[ReplayOptions]) -> Picture: ...
@overload
def replay(
    picture: Union[Path, Picture], out: Path, **options: Unpack[ReplayOptions]
) -> Union[Picture, pathlib.Path]: ...

class _Compute:
''')
    return "".join(text) + "".join(methods) + "\ncompute: _Compute\n"


if __name__ == "__main__":
    STUB.write_text(stub(sys.argv[1]))
