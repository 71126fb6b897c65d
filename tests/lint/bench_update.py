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
                    empty = {column for column, cell in zip(given["columns"], row) if not cell}
                    self.assertLessEqual(empty, set(given["measured"].get("kept", [])), f"{path.name}: {line}")
                    tried += 1
        self.assertGreater(tried, 0)

    def test_every_table_that_a_program_fills_has_an_example(self):
        for path in sorted(performance.DATA.glob("*.json")):
            for given in performance.tables(json.loads(path.read_text())):
                self.assertTrue("measured" not in given or given["measured"].get("example"), f"{path.name}: {given['columns']}")

    def test_names_choose_lines_and_numbers_are_shown_in_other_units(self):
        given = {"columns": ["atoms", "time", "peer"], "rows": [["1 200", "7 us", "9 us"]], "measured": {"lines": [
            {"line": r"^(?P<kind>\w+) (?P<atoms>\d+) atoms: (?P<time>[\d.]+) ms", "names": {"kind": {"float": ""}},
             "row": {"atoms": "{atoms: }"}, "cells": {"time": "{time:*1e3} us"}}]}}
        rows = performance.take(given, "half 1200 atoms: 0.002 ms\nfloat 1200 atoms: 0.0275 ms\n")
        self.assertEqual(rows, [["1 200", "27.5 us", "9 us"]])

    def test_groups_that_no_longer_hold_fill_nothing(self):
        given = {"columns": ["sum", "error"], "rows": [], "measured": {"lines": [
            {"line": r"^\w+ sum", "forget": ["sum"]}, {"line": r"^(?P<sum>direct) sum"},
            {"line": r"^ (?P<error>\S+) error", "row": {"sum": "{sum}"}, "cells": {"error": "{error}"}}]}}
        self.assertEqual(performance.take(given, "direct sum\n 1e-7 error\nfast sum\n 1e-3 error\n"), [["direct", "1e-7"]])


class Kinds(unittest.TestCase):
    def test_a_table_says_where_its_figures_come_from(self):
        given = {"columns": ["time"], "rows": [["1 s"]], "machine": "one", "date": "2026-01-01"}
        self.assertEqual(performance.faults({**given, "once": {"command": "isolume bench"}}), [])
        self.assertIn("found none", performance.faults(given)[0])
        self.assertIn("once without command", performance.faults({**given, "once": {}})[0])
        self.assertIn("once without machine", performance.faults({**given, "machine": "", "once": {"command": "any"}})[0])
        self.assertIn("once and stated", performance.faults({**given, "once": {"command": "any"}, "stated": "any"})[0])

    def test_a_figure_changed_by_hand_is_found(self):
        page = json.loads((performance.DATA / "potentials.json").read_text())
        slopes = [given for given in performance.tables(page) if given.get("from", {}).get("by") == "msm_slopes"][0]
        self.assertEqual(performance.faults(slopes), [])
        slopes["rows"][0][3] = "1.0e-3"
        self.assertIn("are not what", performance.faults(slopes)[0])

    def test_pages_mark_what_was_measured_once(self):
        shown = performance.table({"columns": ["a"], "rows": [["1"]], "machine": "one", "once": {"command": "any"}})
        self.assertTrue(shown.startswith("*one. Measured once.*"), shown)


if __name__ == "__main__":
    unittest.main()
