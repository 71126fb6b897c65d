# SPDX-License-Identifier: MIT
"""Puts the sources of a room into unity batches: files that are compiled as one.

unity.py ROOT MOST RENAMED FILE...: prints "GROUP FILE" for each file that may be batched. Names that a file keeps to
itself (in anonymous namespaces, static, macros) may be those of another, or of a header that another includes: such
files come into different batches, unless both mean the same type by an alias. RENAMED, joined by commas, are names to
which the build gives another form in each file. Files that include themselves again, a header of a big parser or one that must come before
others (epoxy), or that replace operator new, are compiled alone.
"""

import functools
import os
import re
import sys

ALONE = re.compile(
    r"HWY_TARGET_INCLUDE|#include <gemmi/|#include <tao/|_IMPLEMENTATION\b|pocketfft|#include <epoxy/|^void\*? operator (?:new|delete)",
    re.M,
)
# Kernels keep what they share in namespaces of their own, whose names are alike.
USED = re.compile(r"^using [\w:]+::(\w+);", re.M)
OPENED = re.compile(r"^using namespace \w+;", re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# Things at the outer level begin in the first column: nothing is indented by namespaces.
PATTERNS = (
    re.compile(r"^(?:template <.*> *)?(?:struct|class|enum class|enum|union) (\w+)", re.M),
    re.compile(r"^using (\w+) =|^namespace (\w+) =|^#define (\w+)", re.M),
    re.compile(r"^(?!return|namespace|using|class|struct|enum)[A-Za-z\[][\w:<>,*& \[\]]*?[ *&](\w+)\(", re.M),
    re.compile(
        r"^(?:inline |static |thread_local )*(?:constexpr|const|constinit) [\w:<>,*& ]*?(\w+)(?:\[[^\]]*\])* ?(?:=|\{|;)",
        re.M,
    ),
    # Kernels, and functions and tables of CUDA devices.
    re.compile(r"^__global__ void\s+(?:__launch_bounds__\((?:[^()]|\([^()]*\))*\)\s+)?(\w+)\(", re.M),
    re.compile(r"^(?:(?:__host__|__device__|__constant__|__forceinline__) )+[\w:<>,*& ]*?[ *&]?(\w+)[(\[]", re.M),
    # Variables: std::mutex mutex;
    re.compile(
        r"^(?!return|using|namespace|struct|class|enum|union|extern|typedef|template|friend)"
        r"(?:static |thread_local |inline )*[A-Za-z][\w:<>, ]*[ *&](\w+)(?:\[[^\]]*\])*(?: ?=|\{|;)",
        re.M,
    ),
)
# One line may declare several.
VARIABLES = re.compile(r"^(?:inline |static |thread_local )*(?:constexpr|const|constinit) .*;", re.M)
ALIAS = re.compile(r"^using (\w+) = ([^;]*);", re.M)
# Sources of a folder that make a batch of their own.
ENOUGH = 9
ASSIGNED = re.compile(r"(\w+)(?:\[[^\]]*\])* ?=(?!=)")


@functools.cache
def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@functools.cache
def names(path):
    """Names of things that a file declares at the outer level."""
    found = set()
    for pattern in PATTERNS:
        for match in pattern.finditer(text_of(path)):
            found.update(name for name in match.groups() if name)
    if path.endswith(".cu"):
        found.update(USED.findall(text_of(path)))
    for line in VARIABLES.findall(text_of(path)):
        found.update(ASSIGNED.findall(line))
    return frozenset(found)


@functools.cache
def header_names(path, root):
    """Names of things that the project's headers declare which a file includes."""
    seen, waiting, found = set(), [path], set()
    while waiting:
        for name in INCLUDE.findall(text_of(waiting.pop())):
            header = os.path.join(root, name)
            if header not in seen and os.path.exists(header):
                seen.add(header)
                waiting.append(header)
                found |= names(header)
    return frozenset(found)


class Batch:
    """own has the type that each name is an alias of, else None."""

    def __init__(self):
        self.files, self.own, self.seen = [], {}, set()

    def takes(self, own, seen):
        if any(name in self.own and (own[name] is None or own[name] != self.own[name]) for name in own):
            return False
        return not (self.own.keys() & seen or own.keys() & self.seen)

    def add(self, path, own, seen):
        self.files.append(path)
        self.own |= own
        self.seen |= seen


def first_fit(files, most, root, renamed):
    found = []
    for path in files:
        # A file that the build makes is not there yet.
        if not os.path.exists(path) or ALONE.search(text_of(path)):
            continue
        if path.endswith(".cu") and OPENED.search(text_of(path)):
            continue
        seen = header_names(path, root)
        aliases = dict(ALIAS.findall(text_of(path)))
        # What a header of its own declares, it defines.
        own = {name: aliases.get(name) for name in names(path) - seen if name not in renamed}
        for batch in found:
            if len(batch.files) < most and batch.takes(own, seen):
                break
        else:
            batch = Batch()
            found.append(batch)
        batch.add(path, own, seen)
    return [batch.files for batch in found]


def batches(files, most, root, renamed=()):
    """Batches of each folder; what makes none of some size there comes into batches of several folders. So a source that
    is added or taken out changes the batches of its own folder, and not all that come after."""
    folders, found, left = {}, [], []
    for path in files:
        folders.setdefault(os.path.dirname(path), []).append(path)
    for paths in folders.values():
        for batch in first_fit(paths, most, root, renamed):
            if len(batch) >= ENOUGH:
                found.append(batch)
            else:
                left += batch
    return found + first_fit(left, most, root, renamed)


if __name__ == "__main__":
    root, most, renamed = sys.argv[1:4]
    for number, group in enumerate(batches(sys.argv[4:], int(most), root, renamed.split(","))):
        if len(group) > 1:
            for path in group:
                print(number, path)
