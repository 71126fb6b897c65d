"""Which verbs and options the program has, asked of its --help; keywords as words of its command line."""

import difflib
import functools
import numbers
import os
import re
from dataclasses import dataclass

from .errors import UsageError
from .program import find_program, run


@dataclass(frozen=True)
class Option:
    """One option: its names without dashes, what its value is called ("" for a flag), what it means."""

    names: tuple
    value: str
    meaning: str
    optional: bool = False  # it may stand without its value

    @property
    def repeated(self):
        """Each value has the option's name before it: also several files, whose names may have commas."""
        return "may be repeated" in self.meaning or re.match(r"(FILE|PART) \.\.\.", self.value) is not None

    @property
    def numbers(self):
        """Values that follow one another: "A x 3"."""
        return re.search(r" x \d+$", self.value) is not None


@dataclass(frozen=True)
class Verb:
    """A subcommand as --help describes it."""

    words: tuple
    summary: str
    options: tuple
    subcommands: tuple
    text: str

    def option(self, name):
        for option in self.options:
            if name in option.names:
                return option
        return None


def verb(*words):
    """The verb that these words name. Raises UsageError where the program has none."""
    program = find_program()
    return _verb(program, os.stat(program).st_mtime_ns, words)


@functools.lru_cache(maxsize=None)
def _verb(program, _when, words):
    text = run([*words, "--help"])
    options, subcommands, where = [], [], ""
    for line in text.splitlines():
        if line and not line.startswith(" "):
            where = line.split(":")[0]
        elif where == "Subcommands" and re.match(r"  [a-z]", line):
            subcommands.append(line.split()[0])
        elif begins := re.match(r"  (-[-,a-zA-Z]+)(\{[^}]*\})?(.*)", line):
            value, _, meaning = begins[3].partition("  ")
            value = re.sub(r" (Excludes|Needs): .*", "", value).strip()
            names = tuple(name[2:] for name in begins[1].split(",") if name.startswith("--"))
            optional = begins[2] is not None or "=" in value
            options.append(
                Option(names, re.sub(r":[^:]*$|=.*$", "", value).strip() or value, meaning.strip(), optional)
            )
        elif options and where.endswith("ptions") and line.startswith(" " * 20):
            last = options[-1]
            options[-1] = Option(last.names, last.value, (last.meaning + " " + line.strip()).strip(), last.optional)
    return Verb(words, text.splitlines()[0] if text else "", tuple(options), tuple(subcommands), text)


def file_words(files):
    """Paths as words that no option can be mistaken for."""
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    words = [os.fspath(file) for file in files]
    return [f"./{word}" if word.startswith("-") else word for word in words]


def option_words(of, options):
    """The words of keyword options. Raises UsageError for one that the verb does not have."""
    words = []
    for key, value in options.items():
        name = key.rstrip("_").replace("_", "-")
        option = of.option(name)
        if option is None:
            known = [n for o in of.options for n in o.names]
            near = difflib.get_close_matches(name, known, 1)
            raise UsageError(
                f"{' '.join(of.words)} has no option {key}"
                + (f" (did you mean {near[0].replace('-', '_')}?)" if near else ""),
                2,
            )
        words += _words(option, name, key, value)
    return words


def _words(option, name, key, value):
    if value is None or value is False:
        return []
    if value is True:
        if option.value and not option.optional:
            raise UsageError(f"{key} takes a value: {option.meaning}", 2)
        return [f"--{name}"]
    if not option.value and not option.optional:
        raise UsageError(f"{key} is True or False: {option.meaning}", 2)
    if not isinstance(value, (str, bytes, os.PathLike)) and hasattr(value, "__iter__"):
        items = [_text(item, key) for item in value]
        if option.numbers:
            return [f"--{name}", *items]
        if option.repeated:
            return [f"--{name}={item}" for item in items]
        return [f"--{name}={','.join(items)}"]
    return [f"--{name}={_text(value, key)}"]


def _text(value, key):
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    raise UsageError(f"{key}: {type(value).__name__} is no text, number or list of them", 2)
