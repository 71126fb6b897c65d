"""Tables of docs/performance that are reckoned from files of rows (docs/plots/*.csv), one function each."""
import csv
import math
import statistics

BASES = {"nodal": "nodal", "bspline": "B-splines"}


def short(value):
    """Two digits, with an exponent without a leading zero."""
    digits, power = f"{value:.1e}".split("e")
    return f"{digits}e{int(power)}"


def fitted_exponent(points):
    """The slope of a straight line through logarithms."""
    return statistics.linear_regression([math.log(x) for x, _ in points], [math.log(y) for _, y in points]).slope


def msm_slopes(rows):
    """The exponent of h from a/h = 2.83 to 8, and errors at a = 6 A."""
    errors = {(row["basis"], row["p"], row["taylor"], float(row["a"]), row["h"]): float(row["relative_error"]) for row in rows}
    table = []
    for basis, p, taylor in dict.fromkeys(key[:3] for key in errors):
        error = lambda a, ratio: errors[basis, p, taylor, a, f"{a / ratio:.4f}"]
        slopes = [fitted_exponent([(a / ratio, error(a, ratio)) for ratio in (2.83, 4, 5.66, 8)]) for a in (4.0, 6.0, 8.0)]
        table.append([BASES[basis], f"{p}, {taylor}", ", ".join(f"{slope:.1f}" for slope in slopes)]
                     + [short(error(6.0, ratio)) for ratio in (2.83, 4, 8, 16)])
    return table


def msm_allowance(rows):
    """Measured over expected errors up to a = 10 A: mean and largest by basis, accuracy and atoms."""
    table = []
    for basis, name in BASES.items():
        for shown in ("1e-2", "2.5e-3", "5e-4", "1e-4", "5e-5", "2.5e-5", "1.2e-5"):
            accuracy = float(shown)
            ratios = {}
            for row in rows:
                # The table names a spacing for an accuracy; its error there is that accuracy but for the spacing's digits.
                fits = abs(float(row["table"]) / accuracy - 1) < 0.02 and float(row["a"]) <= 10
                filtered = basis == "bspline" and row["p"] == "7" and accuracy < 4.9e-5
                if row["basis"] == basis and fits and not filtered:
                    ratios.setdefault(int(row["atoms"]), []).append(float(row["measured/table"]))
            cells = [f"{statistics.fmean(of):.2f}, {max(of):.2f}" for _, of in sorted(ratios.items())]
            table.append([name if shown == "1e-2" else "", shown] + cells)
    return table


def spme_cubes(rows):
    """Atoms and microseconds by side."""
    return [["atoms"] + [f"{int(row['atoms']):,}" for row in rows],
            ["us"] + [f"{int(row['us']):,}" if row["us"].isdigit() else row["us"] for row in rows]]


def of(name, path):
    """The rows of a table, from a file of rows."""
    with open(path, newline="") as file:
        return globals()[name](list(csv.DictReader(file)))
