#!/usr/bin/env python3
"""A large XTC of water analysed by workers of Dask, with the rate of the disk and the time of a single run.

    split_xtc.py PROGRAM FOLDER [--gigabytes 20] [--workers 4] [--side 100] [--keep]

Makes water with random displacements in FOLDER: a few frames written by the program, repeated with times of their own
until the file has its size. Then, each time with the file out of the system's cache: reads it, computes the
radius of gyration of all atoms in one run, by isolume.distributed.run on a local cluster, and once more there with a
worker killed when half of the parts are done. Prints times, rates, the limit (1.2 times the longer of reading and of decoding 50 million
atoms a second on each core) and the largest difference from the single run, and ends with 1 where values differ.

Dask is installed from PyPI into build/split, an environment that only this script makes and uses.
"""

import argparse
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE = 50e6  # atoms a second and core that decoding should reach
NOISE_FRAMES = 16
PART = 4 << 20


def into_environment():
    """Runs this script again by the Python that has Dask."""
    place = ROOT / "build" / "split"
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "numpy", "distributed"], check=True)
    if pathlib.Path(sys.prefix).resolve() != place.resolve():
        os.execv(python, [str(python), *sys.argv])


def run(*words):
    """Seconds of a core that the command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def record(file, content):
    file.write(struct.pack("<i", len(content)) + content + struct.pack("<i", len(content)))


def write_noise(path, places, side):
    """DCD: frames of the places with normal displacements of 0.5 angstrom along each axis."""
    import numpy as np

    random = np.random.default_rng(7)
    with open(path, "wb") as file:
        words = [NOISE_FRAMES, 0, 1, NOISE_FRAMES, 0, 0, 0, 0, 0]
        record(file, b"CORD" + struct.pack("<9i", *words) + struct.pack("<f", 1) + struct.pack("<10i", 1, *[0] * 8, 24))
        record(file, struct.pack("<i", 1) + b" " * 80)
        record(file, struct.pack("<i", len(places)))
        for _ in range(NOISE_FRAMES):
            record(file, struct.pack("<6d", side, 90, side, 90, 90, side))
            moved = places + random.normal(0, 0.5, places.shape)
            for axis in range(3):
                record(file, moved[:, axis].astype("<f4").tobytes())


def frames_of(content):
    """The frames of an XTC, as bytes: each says how long it is (more than nine atoms)."""
    frames, at = [], 0
    while at < len(content):
        (size,) = struct.unpack(">i", content[at + 88 : at + 92])
        end = at + 92 + (size + 3) // 4 * 4
        frames.append(bytearray(content[at:end]))
        at = end
    return frames


def make_trajectory(program, folder, size, side):
    """Paths of the structure and the XTC, and the counts of atoms and frames."""
    import numpy as np

    structure, noise, short = folder / "water.gro", folder / "noise.dcd", folder / "noise.xtc"
    run(program, "convert", "--make", f"water:{side}", structure, "-q", "--no-record")
    lines = structure.read_text().splitlines()[2:-1]
    places = np.array([[float(line[20 + 8 * i : 28 + 8 * i]) for i in range(3)] for line in lines]) * 10
    write_noise(noise, places, side)
    run(program, "convert", structure, noise, short, "-q", "--no-record")
    noise.unlink()
    frames = frames_of(short.read_bytes())
    short.unlink()
    count = max(1, round(size / (sum(map(len, frames)) / len(frames))))
    trajectory = folder / "water.xtc"
    with open(trajectory, "wb", buffering=PART) as file:
        for i in range(count):
            frame = frames[i % len(frames)]
            struct.pack_into(">if", frame, 8, i, float(i))  # step and time
            file.write(frame)
        file.flush()
        os.fsync(file.fileno())
    return structure, trajectory, len(places), count


def forget(path):
    """Takes the file out of the system's cache."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read_whole(path):
    begin = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        place = bytearray(PART)
        while file.readinto(place):
            pass
    return time.perf_counter() - begin


def kill_half_way(cluster, folder, parts, killed):
    """Kills a worker's process as soon as half of the parts are there."""
    from signal import SIGKILL

    while len([path for path in folder.glob("part.*") if path.suffix[1:].isdigit()]) < parts / 2:
        time.sleep(0.05)
    worker = next(iter(cluster.workers.values()))
    killed.append(worker.pid)
    os.kill(worker.pid, SIGKILL)


def on_cluster(files, options, parts, workers, folder, kill):
    """Seconds, the table and the killed worker's number."""
    import distributed

    from isolume import distributed as split

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            killed = []
            if kill:
                threading.Thread(target=kill_half_way, args=(cluster, folder, parts, killed), daemon=True).start()
            begin = time.perf_counter()
            table = split.run(
                "gyration", files, client=client, parts=parts, folder=folder, progress=False, **options
            )
            seconds = time.perf_counter() - begin
    shutil.rmtree(folder)
    return seconds, table, killed[0] if killed else None


def difference(one, other):
    """The largest relative difference of two tables; raises ValueError where they have other columns or texts."""
    import numpy as np

    if list(one) != list(other):
        raise ValueError(f"columns {list(one)} and {list(other)}")
    largest = 0.0
    for name in one:
        a, b = np.asarray(one[name]), np.asarray(other[name])
        if a.dtype.kind in "OUS":
            if list(a) != list(b):
                raise ValueError(f"column {name}")
            continue
        scale = np.maximum(np.abs(a), np.abs(b))
        largest = max(largest, float(np.max(np.abs(a - b) / np.where(scale > 0, scale, 1), initial=0)))
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, help="on the disk to measure, with room for the file")
    parser.add_argument("--gigabytes", type=float, default=20)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--parts", type=int, default=32)
    parser.add_argument("--side", type=float, default=100, help="of the box of water, angstrom")
    parser.add_argument("--keep", action="store_true", help="leave the trajectory where it is")
    options = parser.parse_args()
    into_environment()
    sys.path.insert(0, str(ROOT / "python"))
    import isolume
    import isolume.readers

    program = options.program.resolve()
    isolume.set_program(program)
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    structure, trajectory, atoms, frames = make_trajectory(program, folder, options.gigabytes * 1e9, options.side)
    size = trajectory.stat().st_size
    cores = min(options.workers, len(os.sched_getaffinity(0)))
    print(f"{trajectory}: {size / 1e9:.2f} GB, {frames} frames of {atoms} atoms, {size / frames / atoms:.2f} bytes an atom")
    print(f"{options.workers} workers on {cores} of {len(os.sched_getaffinity(0))} cores")

    forget(trajectory)
    disk = read_whole(trajectory)
    print(f"disk: {disk:.1f} s, {size / disk / 1e9:.2f} GB/s")
    least = max(disk, atoms * frames / RATE / cores)
    print(f"limit: {1.2 * least:.1f} s (decoding {atoms * frames / RATE / cores:.1f} s)")

    files, verb = [structure, trajectory], {"select": "all", "pbc": "as-is"}
    some = max(1, min(frames, round(2e8 / atoms)))
    words = [program, "compute", "gyration", *files, "--pbc", "as-is", "-q", "--no-record", "--threads=1"]
    words += [f"--frames=0:{some}", "--out", folder / "some.csv", "--select"]
    start = run(*words, "index 0")  # decodes an atom of each frame
    for what, chosen in (("decoding", f"index {atoms - 1}"), ("with the analysis", verb["select"])):
        core = max(run(*words, chosen) - start, 1e-9)
        print(f"one core, {what}, {some} frames in memory: {core:.2f} s, {some * atoms / core / 1e6:.1f} million atoms a second")

    forget(trajectory)
    begin = time.perf_counter()
    words = [word for word in words if word != f"--frames=0:{some}" and word != "--threads=1"]
    run(*words, verb["select"], f"--threads={cores}")
    whole = time.perf_counter() - begin
    single = isolume.readers.read_table((folder / "some.csv").read_text())
    print(f"single run, {cores} threads: {whole:.1f} s")

    wrong = False
    for kill in (False, True):
        forget(trajectory)
        seconds, table, killed = on_cluster(files, verb, options.parts, options.workers, folder / "parts", kill)
        off = difference(single, table.columns)
        wrong = wrong or off > 0 or kill != (killed is not None)
        end = f", worker {killed} killed half-way" if kill else ""
        print(f"cluster{end}: {seconds:.1f} s, {seconds / least:.2f} times the longer of disk and decoding, difference {off:.1e}")
    if not options.keep:
        for path in (trajectory, structure, folder / "some.csv"):
            path.unlink()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
