#!/usr/bin/env python3
"""Checks that figures which a benchmark prints get into its table: rows by their names, lines with groups that other lines use."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import performance  # noqa: E402

PRINTED = """molecule.pqr: 12 atoms, 65^3 points
  one box        3.25 ms (3.00 to 4.00)
  focused        5.00 ms
12 atoms, 97^3 points
  one box        9.50 ms (9.00 to 9.75)
"""


def table():
    row = {"points": "{points}^3"}
    return {"columns": ["points", "one box", "focused", "goal"], "rows": [["65^3", "7", "8", "10 ms"], ["33^3", "1", "2", ""]],
            "measured": {"program": "any", "device": "cpu", "lines": [
                {"line": r"(?P<points>\d+)\^3 points"},
                {"line": r"^  one box +(?P<median>[\d.]+) ms \((?P<least>[\d.]+) to (?P<most>[\d.]+)\)", "row": row,
                 "cells": {"one box": "{median} ({least} to {most})"}},
                {"line": r"^  focused +(?P<median>[\d.]+) ms", "row": row, "cells": {"focused": "{median}"}}]}}


class Take(unittest.TestCase):
    def test_figures_replace_those_of_the_row_and_other_cells_stay(self):
        rows = performance.take(table(), PRINTED)
        self.assertEqual(rows[0], ["65^3", "3.25 (3.00 to 4.00)", "5.00", "10 ms"])

    def test_new_rows_are_added_and_rows_without_figures_left_out(self):
        rows = performance.take(table(), PRINTED)
        self.assertEqual([row[0] for row in rows], ["65^3", "97^3"])
        self.assertEqual(rows[1], ["97^3", "9.50 (9.00 to 9.75)", "", ""])

    def test_nothing_is_taken_from_other_words(self):
        self.assertEqual(performance.take(table(), "no file is named\n"), [])

    def test_lines_that_programs_print_fill_rows_of_the_pages(self):
        tried = 0
        for path in sorted(performance.DATA.glob("*.json")):
            for block in json.loads(path.read_text())["blocks"]:
                given = block.get("table", {}) if isinstance(block, dict) else {}
                example = given.get("measured", {}).get("example", [])
                rows = performance.take({**given, "rows": []}, "\n".join(example)) if example else []
                self.assertEqual(len(rows), len(example), f"{path.name}: {given.get('columns')}")
                for row, line in zip(rows, example):
                    # What the program does not print of this row is no figure that was there before.
                    self.assertLessEqual(row.count(""), 1, f"{path.name}: {line}")
                    tried += 1
        self.assertGreater(tried, 0)


if __name__ == "__main__":
    unittest.main()
