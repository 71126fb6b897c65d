"""isolume.distributed gives what the single run gives: split_frames.py PROGRAM.

With a client of its own (a few threads with the calls of Dask's client) always, with a cluster of Dask where that is
installed. Workers die and programs fail in a wrapper of the program, at a place that does not depend on time.
"""

import concurrent.futures
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python"))
try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed: not tested")
    sys.exit(77)

import isolume  # noqa: E402
from isolume import distributed as split  # noqa: E402

try:
    import distributed as dask_distributed
except ImportError:
    dask_distributed = None

examples = root / "resources" / "examples"
WATER = [examples / "crambin_water" / "crambin_water.gro.gz", examples / "crambin_water" / "crambin_water.xtc"]


class Threads:
    """The calls of a client that are used, on threads. Arguments and results are pickled, as between machines."""

    def __init__(self, count=3):
        self.pool, self.count, self.submitted = concurrent.futures.ThreadPoolExecutor(count), count, []

    def ncores(self):
        return {"thread": self.count}

    def submit(self, function, *arguments, pure=True, retries=0, resources=None):
        self.submitted.append((function.__name__, resources))
        tasks = [a for a in arguments if isinstance(a, list) and a and isinstance(a[0], concurrent.futures.Future)]
        waited = [[f.result() for f in futures] for futures in tasks]  # of a merge: the parts, which come first

        def call():
            own = [waited[tasks.index(a)] if a in tasks else a for a in arguments]
            for left in range(retries, -1, -1):
                try:
                    return pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(own)))))
                except Exception as fault:
                    pickle.loads(pickle.dumps(fault))
                    if left == 0:
                        raise

        return self.pool.submit(call)

    def gather(self, futures):
        return [future.result() for future in futures]


class Split(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        self.program = isolume.find_program()
        self.addCleanup(isolume.set_program, self.program)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)

    def wrapped(self, lines):
        """A program that runs these lines of a shell before the first part, or before it goes on for many on a worker of
        Dask; calls of this process start a program each."""
        isolume.use_worker(False)
        self.addCleanup(isolume.use_worker)
        wrapper = self.folder / "isolume"
        once = self.folder / "once"
        wrapper.write_text(
            f'#!/bin/sh\ncase "$*" in *--partial*|worker) if mkdir "{once}" 2>/dev/null; then\n{lines}\nfi;; esac\n'
            f'exec "{self.program}" "$@"\n'
        )
        wrapper.chmod(0o755)
        isolume.set_program(wrapper)
        return once

    def same_tables(self, own, other):
        self.assertEqual(list(own.columns), list(other.columns))
        for name, values in own.columns.items():
            np.testing.assert_array_equal(values, other.columns[name], err_msg=name)

    def test_frames_are_split(self):
        self.assertEqual(split.frame_parts(None, 10, 3), ["0:3:1", "3:6:1", "6:10:1"])
        self.assertEqual(split.frame_parts("2:9:3", 10, 2), ["2:3:3", "5:9:3"])
        self.assertEqual(split.frame_parts(slice(-2, None), 10, 8), ["8:9:1", "9:10:1"])
        self.assertEqual(split.frame_parts("7", 10, 8), ["7:8:1"])
        for wrong in ("x", "5:2", "9:0:-1", range(8, 12), [1, 2]):
            with self.assertRaises(isolume.UsageError):
                split.frame_parts(wrong, 10, 2)
        for count, parts in ((61, 7), (5, 5), (100, 9)):
            frames = [f for w in split.frame_parts(None, count, parts) for f in range(*map(int, w.split(":")))]
            self.assertEqual(frames, list(range(count)))

    def test_tables_and_maps_are_those_of_the_single_run(self):
        client = Threads()
        whole = isolume.compute.hbonds(WATER, frames="3:40", select="protein", out="whole.csv", bonds="b.csv")
        table = split.run(
            "hbonds", WATER, frames="3:40", client=client, parts=11, select="protein", out="s.csv", bonds="sb.csv"
        )
        self.same_tables(whole, table)
        self.assertEqual(pathlib.Path("b.csv").read_text(), pathlib.Path("sb.csv").read_text())
        self.assertEqual(pathlib.Path("whole.csv").read_text(), pathlib.Path("s.csv").read_text())
        names = [name for name, _ in client.submitted]
        self.assertEqual((names.count("_compute_part"), names.count("_merge_parts")), (11, 3))
        self.assertEqual([p.name for p in self.folder.glob("isolume-parts-*")], [])
        options = {"select": "water and name OW", "spacing": 3.0, "kind": "density", "align": "name CA"}
        one = isolume.compute.volmap(WATER, frames="0:20", **options)
        many = split.run("volmap", WATER, frames="0:20", client=client, parts=4, **options)
        self.assertEqual(one.counts, many.counts)
        np.testing.assert_allclose(many.values, one.values, rtol=2e-7, atol=1e-12)  # a digit of 32-bit floats

    def test_parts_that_are_there_are_kept(self):
        client = Threads()
        first = split.run("rmsf", WATER, frames=range(0, 24), client=client, parts=3, folder="kept", select="name CA")
        times = {path.name: path.stat().st_mtime_ns for path in pathlib.Path("kept").glob("part.?")}
        self.assertEqual(len(times), 3)
        again = split.run("rmsf", WATER, frames=range(0, 24), client=client, parts=3, folder="kept", select="name CA")
        self.same_tables(first, again)
        self.assertEqual(times, {path.name: path.stat().st_mtime_ns for path in pathlib.Path("kept").glob("part.?")})
        with self.assertRaisesRegex(isolume.InputError, "--select is name CA, not name CB"):
            split.run("rmsf", WATER, frames=range(0, 24), client=client, parts=3, folder="kept", select="name CB")

    def test_faults(self):
        client = Threads()
        # Where one part fails the others still write, into the folder that is removed after this.
        self.addCleanup(client.pool.shutdown)
        with self.assertRaisesRegex(isolume.UsageError, "no --partial"):
            split.run("pca", WATER, client=client)
        with self.assertRaisesRegex(isolume.UsageError, "(?i)selection|nothing"):
            split.run("gyration", WATER, client=client, frames="0:9", select="nothing of this kind")
        once = self.wrapped("echo broken >&2; exit 1")
        whole = isolume.compute.gyration(WATER, frames="0:9")
        self.same_tables(whole, split.run("gyration", WATER, client=client, frames="0:9", parts=3))
        self.assertTrue(once.exists(), "a part has failed once")
        once.rmdir()
        with self.assertRaisesRegex(isolume.ComputeError, "broken"):
            split.run("gyration", WATER, client=client, frames="0:9", parts=3, retries=0)

    def test_a_worker_with_a_gpu_shows_it_alone(self):
        class State:
            total_resources, nthreads = {"GPU": 1, "GPU-8f2c": 1}, 2

        class Worker:
            state = State()

        real, split._worker = split._worker, lambda: Worker()
        self.addCleanup(setattr, split, "_worker", real)
        seen = self.folder / "seen"
        self.wrapped(f'echo "$CUDA_VISIBLE_DEVICES $*" > {seen}')
        client = Threads()
        asked = []
        real_ask = split._ask
        self.addCleanup(setattr, split, "_ask", real_ask)
        split._ask = lambda program, words, *more: (asked.append(words), real_ask(program, words, *more))[1]
        split.run("gyration", WATER, client=client, frames="0:4", parts=1, resources={"GPU": 1})
        self.assertTrue(seen.read_text().startswith("GPU-8f2c worker"), seen.read_text())
        self.assertIn("--threads=2", asked[0])
        self.assertIn(("_compute_part", {"GPU": 1}), client.submitted)

    def test_without_dask_it_says_so(self):
        code = (
            "import sys; sys.modules['distributed'] = None; sys.path.insert(0, sys.argv[1]); import isolume\n"
            "isolume.set_program(sys.argv[2])\n"
            "try: isolume.distributed.run('gyration', sys.argv[3:])\n"
            "except ImportError as fault: print(fault)"
        )
        words = [sys.executable, "-c", code, str(root / "python"), self.program, *map(str, WATER)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        self.assertIn("pip install distributed", done.stdout)

    @unittest.skipIf(dask_distributed is None, "Dask (distributed) is not installed")
    def test_on_dask_a_worker_may_die(self):
        once = self.wrapped("kill -KILL $PPID")
        whole = isolume.compute.rdf(WATER, frames="0:24", select="water and name OW", max=6)
        with dask_distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with dask_distributed.Client(cluster) as client:
                table = split.run(
                    "rdf", WATER, frames="0:24", client=client, parts=4, select="water and name OW", max=6
                )
        self.assertTrue(once.exists(), "a worker has been killed")
        np.testing.assert_array_equal(table["pairs"], whole["pairs"])
        np.testing.assert_allclose(table["g"], whole["g"], rtol=0, atol=1.1e-6)  # a digit of the text


if __name__ == "__main__":
    isolume.set_program(sys.argv.pop(1))
    unittest.main()
