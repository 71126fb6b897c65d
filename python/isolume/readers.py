"""Files of results as arrays: CCP4/MRC maps, PLY meshes and CSV tables as the program writes them."""

import csv
import io
import re

import numpy as np


def read_map(path):
    """(values [x, y, z], origin, step) of a CCP4/MRC map of 32-bit floats whose axes are in order, as the program
    writes it. Lengths in angstrom; ``step[0]`` is the vector from one value to the next along x."""
    with open(path, "rb") as file:
        header = file.read(1024)
        whole, real = np.frombuffer(header, "<i4"), np.frombuffer(header, "<f4").astype(float)
        nx, ny, nz, mode = (int(n) for n in whole[:4])
        if mode != 2 or tuple(whole[16:19]) != (1, 2, 3) or min(nx, ny, nz) < 1:
            raise ValueError(f"{path}: not a map of 32-bit floats in the order x, y, z")
        file.seek(1024 + int(whole[23]))
        values = np.frombuffer(file.read(4 * nx * ny * nz), "<f4")
    step = _cell(real[10:13], real[13:16]) / whole[7:10, None]
    origin = real[49:52] if real[49:52].any() else whole[4:7] @ step
    return np.ascontiguousarray(values.reshape(nz, ny, nx).transpose(2, 1, 0)), origin, step


def _cell(lengths, angles):
    """Vectors of a cell, one a row: the first along x, the second in the xy plane."""
    (a, b, c), (alpha, beta, gamma) = lengths, np.radians(angles)
    x = (np.cos(alpha) - np.cos(beta) * np.cos(gamma)) / np.sin(gamma)
    return np.array(
        [
            [a, 0, 0],
            [b * np.cos(gamma), b * np.sin(gamma), 0],
            [c * np.cos(beta), c * x, c * np.sqrt(max(0.0, np.sin(beta) ** 2 - x * x))],
        ]
    )


_types = {
    "float": "<f4",
    "double": "<f8",
    "uchar": "u1",
    "uint8": "u1",
    "int": "<i4",
    "uint": "<u4",
    "short": "<i2",
    "ushort": "<u2",
    "char": "i1",
    "float32": "<f4",
    "float64": "<f8",
    "int32": "<i4",
    "uint32": "<u4",
}


def read_ply(path):
    """(vertices by column, faces) of a binary PLY of triangles."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    lines = data[:end].decode("utf-8", "replace").splitlines()
    if "format binary_little_endian 1.0" not in lines:
        raise ValueError(f"{path}: not a little-endian binary PLY")
    elements = []
    for line in lines:
        words = line.split()
        if words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    vertices, faces = {}, np.zeros((0, 3), np.int32)
    for name, count, properties in elements:
        if name == "vertex":
            kind = np.dtype([(p[-1], _types[p[0]]) for p in properties])
            rows = np.frombuffer(data, kind, count, end)
            vertices = {column: rows[column].copy() for column in kind.names}
        elif name == "face":
            length, index = _types[properties[0][1]], _types[properties[0][2]]
            kind = np.dtype([("n", length), ("v", index, (3,))] + [(p[-1], _types[p[0]]) for p in properties[1:]])
            rows = np.frombuffer(data, kind, count, end)
            if count and not (rows["n"] == 3).all():
                raise ValueError(f"{path}: faces that are no triangles")
            faces = rows["v"].astype(np.int64)
        else:
            raise ValueError(f"{path}: an element {name}")
        end += count * kind.itemsize
    return vertices, faces


def read_table(text):
    """Columns by name of a CSV text with a line of names; numbers where all of a column are numbers."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row and not row[0].startswith("#")]
    if not rows:
        return {}
    names, rows = rows[0], rows[1:]
    columns = {}
    for i, name in enumerate(names):
        texts = [row[i] if i < len(row) else "" for row in rows]
        try:
            columns[name] = np.array([float(t) if t else np.nan for t in texts])
        except ValueError:
            columns[name] = np.array(texts)
        if texts and not any(texts):
            columns[name] = np.array(texts)
    return columns


def read_numbers(text):
    """Lines of numbers separated by commas, without names: N, or N x columns."""
    lines = [line for line in text.splitlines() if re.match(r"\s*[-+.0-9]|\s*(nan|inf)", line)]
    rows = np.array([[float(word) for word in line.split(",")] for line in lines])
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows
