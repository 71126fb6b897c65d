#!/usr/bin/env python3
"""Says how many tests of the last run of ctest were skipped, and why: skips.py BUILD_FOLDER."""
import collections
import pathlib
import re
import sys

DATA = "needs files of the data collection next to the checkout (../shared/data or ISOLUME_SHARED_DATA)"


def reasons(log):
    """The reason of each skipped test: what it printed after ": Skipped"."""
    for test in re.split(r"^-{20,}\n+(?=\d+/\d+ Testing: )", log, flags=re.MULTILINE):
        # A test that is skipped by its exit code prints what it likes.
        if "Test Pass Reason:\nSkip" not in test and "\nTest Skipped.\n" not in test:
            continue
        said = re.search(r": Skipped\n(.+)", test)
        text = said[1].strip() if said else "says nothing"
        yield DATA if re.match(r"needs .*, which is not present", text) else text


def main():
    log = (pathlib.Path(sys.argv[1]) / "Testing" / "Temporary" / "LastTest.log").read_text(errors="replace")
    counts = collections.Counter(reasons(log))
    ran = len(re.findall(r"^\d+/\d+ Testing: ", log, re.MULTILINE))
    print(f"{ran} tests, {sum(counts.values())} of them skipped" + (":" if counts else ""))
    for reason, count in counts.most_common():
        print(f"  {count:4d}  {reason}")


if __name__ == "__main__":
    main()
