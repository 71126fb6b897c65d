"""The package for notebooks does what the program does: package.py PROGRAM.

Values are compared with formulas (Coulomb's law in vacuum), with the program's own text output, and with one another by
other ways (points of a grid given as points). The example of docs/python.md is run as it stands.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python"))
try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed: not tested")
    sys.exit(77)

import isolume  # noqa: E402
from isolume import options  # noqa: E402
from poles import POLES, coulomb, write_poles  # noqa: E402

examples = root / "resources" / "examples"
CRAMBIN = examples / "crambin.pdb.gz"
ETHYLENE = examples / "ethylene_torsion" / "ethylene_torsion_000.molden.gz"
WATER = [examples / "crambin_water" / "crambin_water.gro.gz", examples / "crambin_water" / "crambin_water.xtc"]


class Package(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory()) if hasattr(self, "enterContext") else tempfile.mkdtemp()
        )
        self.poles = write_poles(self.folder)

    def test_info_is_what_the_command_line_says(self):
        said = isolume.info(CRAMBIN)
        text = subprocess.run([isolume.find_program(), "info", CRAMBIN], capture_output=True, text=True, check=True)
        self.assertEqual(said["format"], "PDB")
        self.assertIn(f"atoms      {said['atoms']} ", text.stdout)
        self.assertEqual(isolume.info(WATER)["frames"], isolume.info(WATER[::-1])["frames"])
        self.assertIn("PDB", [kind["name"] for kind in isolume.info(formats=True)])

    def test_devices(self):
        self.assertIn("cpu", [device["name"] for device in isolume.devices()["devices"]])
        self.assertRegex(isolume.version(), r"^\d+\.\d+\.\d+$")

    def test_a_potential_is_coulombs_law(self):
        volume = isolume.compute.potential(self.poles, spacing=0.75, device="cpu", method="direct")
        points = volume.points()
        self.assertEqual(points.shape, (*volume.counts, 3))
        self.assertEqual(volume.unit, "V")
        self.assertEqual(volume.method["name"], "direct")
        self.assertEqual(volume.values.dtype, np.float32)
        np.testing.assert_allclose(np.linalg.norm(volume.step, axis=1), 0.75, rtol=1e-6)
        far = np.min([np.linalg.norm(points - np.array(at), axis=-1) for at, _ in POLES], axis=0) > 0.5
        self.assertGreater(far.mean(), 0.9)
        np.testing.assert_allclose(volume.values[far], coulomb(points[far]), rtol=2e-5, atol=1e-5)
        self.assertLess(volume.error["relative"], 1e-5)

    def test_points_and_fields(self):
        points = np.random.default_rng(1).uniform(4, 9, (50, 3))
        at = isolume.compute.potential(self.poles, at=points, device="cpu", method="direct")
        np.testing.assert_allclose(at.values, coulomb(points), rtol=2e-6)
        np.testing.assert_array_equal(at.points, points)
        field = isolume.compute.potential(self.poles, at=points, field=True, device="cpu", method="direct")
        self.assertEqual(field.values.shape, (50, 4))
        slope = (coulomb(points + [1e-5, 0, 0]) - coulomb(points - [1e-5, 0, 0])) / 2e-5
        np.testing.assert_allclose(field.values[:, 1], -slope, rtol=1e-4, atol=1e-5)

    def test_orbitals_on_a_grid_and_at_points_agree(self):
        homo, lumo = isolume.compute.orbital(ETHYLENE, orbital=["homo", "lumo"], spacing=0.5, device="cpu")
        self.assertEqual([homo.info["role"], lumo.info["role"]], ["HOMO", "LUMO"])
        self.assertLess(homo.info["energy_hartree"], lumo.info["energy_hartree"])
        for column, volume in enumerate((homo, lumo)):  # each has a grid of its own
            some = volume.points().reshape(-1, 3)[::97]
            values = isolume.compute.orbital(ETHYLENE, orbital=["homo", "lumo"], at=some, device="cpu").values
            np.testing.assert_allclose(volume.values.reshape(-1)[::97], values[:, column], atol=1e-6)
        kept = self.folder / "homo.cube"
        again = isolume.compute.orbital(ETHYLENE, orbital="homo", spacing=0.5, device="cpu", out=kept)
        np.testing.assert_array_equal(again.values, homo.values)
        self.assertTrue(kept.exists())
        # Two electrons in each of the eight lowest orbitals of C2H4.
        density = isolume.compute.density(ETHYLENE, spacing=0.5, device="cpu")
        some = density.points().reshape(-1, 3)[::61]
        occupied = isolume.compute.orbital(ETHYLENE, orbital=range(1, 9), at=some, device="cpu").values
        np.testing.assert_allclose(density.values.reshape(-1)[::61], 2 * (occupied**2).sum(1), rtol=1e-5, atol=1e-6)

    def test_a_surface_is_closed_and_has_its_area(self):
        mesh = isolume.compute.surface(CRAMBIN, colour_by="chain", spacing=1, device="cpu")
        edges = np.sort(np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]]), axis=1)
        _, count = np.unique(edges, axis=0, return_counts=True)
        self.assertTrue((count == 2).all())
        a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(float) for i in range(3))
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
        self.assertAlmostEqual(area, mesh.result["area"], delta=1e-4 * area)
        self.assertEqual(mesh.colours.shape, (len(mesh.vertices), 4))
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-3)

    def test_energies_and_tables(self):
        energies = isolume.compute.energy(self.poles, device="cpu")
        # 332.06371 kcal angstrom/(mol e^2)
        self.assertAlmostEqual(energies.energy, 332.06371 * -0.5 / 3, delta=1e-3)
        np.testing.assert_allclose(energies.forces[:, 0], [332.06371 * 0.5 / 9, -332.06371 * 0.5 / 9], rtol=1e-4)
        areas = isolume.compute.sasa(CRAMBIN)
        self.assertAlmostEqual(areas["area"].sum(), areas.result["area"], delta=0.1)
        self.assertEqual(len(areas), areas.result["atoms"])
        self.assertTrue((areas["area"] == areas["area (angstrom^2)"]).all())
        with self.assertRaisesRegex(KeyError, "radius"):
            areas["volume"]
        fit = isolume.compute.fit(WATER)
        self.assertAlmostEqual(fit["rmsd"][0], 0, delta=1e-5)

    def test_pictures_are_shown_and_drawn_again(self):
        picture = isolume.render(CRAMBIN, style="cartoon", size="64x48", samples=1)
        self.assertEqual(picture._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
        again = isolume.replay(picture)
        self.assertEqual(again.png[16:24], picture.png[16:24])  # the same size
        out = self.folder / "-picture.png"
        self.assertEqual(isolume.render(CRAMBIN, out=out, size="64x48", samples=1).path, out)

    def test_files_are_converted(self):
        out = isolume.convert(WATER, self.folder / "part.pdb", select="protein", frames="0:2")
        self.assertEqual(isolume.info(out)["frames"], 2)

    def test_mistakes_name_themselves(self):
        with self.assertRaises(isolume.UsageError) as caught:
            isolume.compute.potential(self.poles, spacng=1)
        self.assertIn("did you mean spacing", str(caught.exception))
        with self.assertRaises(isolume.UsageError):
            isolume.compute.potential(self.poles, spacing=True)
        with self.assertRaises(isolume.UsageError) as caught:
            isolume.compute.potential(self.poles, spacing=-1)
        self.assertEqual(caught.exception.code, 2)
        broken = self.folder / "broken.pqr"
        broken.write_text("ATOM 1 N ALA 1 0 0 0 1 1\nATOM 2 N ALA 1 0 x 0 1 1\n")
        with self.assertRaises(isolume.InputError) as caught:
            isolume.info(broken)
        self.assertIn("broken.pqr:2", str(caught.exception))
        self.assertEqual(caught.exception.code, 3)
        with self.assertRaises(AttributeError) as caught:
            isolume.compute.orbit(ETHYLENE)
        self.assertIn("orbital", str(caught.exception))

    def test_no_word_of_a_caller_is_an_option_or_a_command(self):
        odd = self.folder / "--help; touch hacked.pqr"
        odd.write_bytes(self.poles.read_bytes())
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            self.assertEqual(isolume.info("--help; touch hacked.pqr")["atoms"], 2)
            with self.assertRaises(isolume.IsolumeError):
                isolume.convert(self.poles, "out.pdb", select="--help")
        finally:
            os.chdir(here)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), [odd.name, "poles.pqr"])

    def test_options_are_those_of_the_program(self):
        verbs = isolume.compute.__dir__()
        self.assertLessEqual({"potential", "orbital", "density", "surface", "energy", "sasa", "fit"}, set(verbs))
        self.assertIn("--spacing", isolume.compute.potential.__doc__)
        of = options.verb("compute", "orbital")
        self.assertTrue(of.option("orbital").repeated)
        self.assertEqual(of.option("follow").value, "")
        self.assertTrue(options.verb("compute", "energy").option("cell").numbers)
        self.assertEqual(
            options.option_words(of, {"follow": True, "from_": 3, "spin": None, "orbital": ("homo", 5)}),
            ["--follow", "--from=3", "--orbital=homo", "--orbital=5"],
        )
        # Whatever verb the program has, its help is understood.
        for words in [("info",), ("render",), *(("compute", name) for name in options.verb("compute").subcommands)]:
            with self.subTest(words):
                self.assertGreater(len(options.verb(*words).options), 3)

    def test_types_are_those_of_the_program(self):
        sys.path.insert(0, str(root / "scripts"))
        import stubs

        def names(text):
            found = re.findall(r"^class (\w+)|^    (\w+): |^    def (\w+)", text, re.MULTILINE)
            return [name for groups in found for name in groups if name]

        written = (root / "python" / "isolume" / "verbs.pyi").read_text()
        expected = stubs.stub(isolume.find_program())
        self.assertEqual(names(written), names(expected), "run scripts/stubs.py with the program")

    def test_types_know_right_from_wrong(self):
        try:
            import mypy.api
            import typing_extensions  # noqa: F401
        except ImportError:
            self.skipTest("mypy is not installed")
        right = [
            'isolume.render("a.pdb").save("x.png")',
            'isolume.render("a.pdb", style="cartoon", transparent=True)',
            'isolume.compute.potential("a.pqr", spacing=0.5).values',
            'isolume.compute.potential("a.pqr", at=[[0.0, 0.0, 0.0]]).points',
            'isolume.compute.orbital("a.molden", orbital="homo").values',
            'isolume.compute.orbital("a.molden", orbital=["homo", 5])[0].values',
            'isolume.compute.rmsd(["a.gro", "a.xtc"], select="name CA").columns',
        ]
        wrong = [
            'isolume.compute.potentail("a.pqr")',
            'isolume.compute.potential("a.pqr").valuess',
            'isolume.render("a.pdb", stile="cartoon")',
        ]
        file = self.folder / "typed.py"
        file.write_text("import isolume\n" + "\n".join(right + wrong) + "\n")
        os.environ["MYPYPATH"] = str(root / "python")
        out, _, _ = mypy.api.run([str(file), "--cache-dir", str(self.folder / "cache")])
        lines = {int(n) for n in re.findall(r"typed\.py:(\d+): error", out)}
        self.assertEqual(lines, set(range(len(right) + 2, len(right) + len(wrong) + 2)), out)

    def test_calls_share_a_process_that_gives_the_same(self):
        atoms = isolume.info(CRAMBIN)["atoms"]
        first = isolume.worker._worker.child.pid
        areas = isolume.compute.sasa(CRAMBIN)
        with self.assertRaises(isolume.UsageError):
            isolume.compute.potential(self.poles, spacing=-1)
        self.assertEqual(isolume.worker._worker.child.pid, first)
        isolume.use_worker(False)
        try:
            alone = isolume.compute.sasa(CRAMBIN)
            self.assertIsNone(isolume.worker._worker)
        finally:
            isolume.use_worker()
        np.testing.assert_array_equal(areas["area"], alone["area"])
        self.assertEqual(areas.result, alone.result)
        # Where the worker has been killed, or the variables are others, another one begins.
        isolume.info(CRAMBIN)
        killed = isolume.worker._worker.child
        killed.kill()
        killed.wait()
        self.assertEqual(isolume.info(CRAMBIN)["atoms"], atoms)
        pid = isolume.worker._worker.child.pid
        self.assertNotEqual(pid, killed.pid)
        os.environ["ISOLUME_TEST_OF_WORKERS"] = "1"
        try:
            isolume.info(CRAMBIN)
            self.assertNotEqual(isolume.worker._worker.child.pid, pid)
        finally:
            del os.environ["ISOLUME_TEST_OF_WORKERS"]

    def test_threads_do_not_wait_for_each_other(self):
        results = []

        def ask():
            results.append(isolume.info(CRAMBIN)["atoms"])

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(results)), 1)
        self.assertEqual(len(results), 4)

    def test_an_interrupt_stops_the_program(self):
        out = self.folder / "large.mrc"
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            isolume.compute.potential(
                examples / "crambin_charges" / "crambin_charges.pqr.gz",
                spacing=0.07,
                method="direct",
                device="cpu",
                out=out,
            )
        self.assertLess(time.monotonic() - begin, 12)
        self.assertFalse(out.exists())
        children = subprocess.run(
            ["ps", "-o", "comm=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
        ).stdout
        self.assertNotIn("isolume", children)

    def test_progress_is_told(self):
        seen = []
        isolume.compute.potential(
            examples / "crambin_charges" / "crambin_charges.pqr.gz",
            spacing=0.4,
            method="direct",
            device="cpu",
            threads=1,
            progress=lambda part, text: seen.append(part),
        )
        self.assertGreater(len(seen), 1, "it takes more than the half second before progress is shown")
        self.assertTrue(all(0 <= part <= 1 for part in seen))
        self.assertLess(seen[0], seen[-1])

    def test_the_manuals_example(self):
        text = (root / "docs" / "python.md").read_text()
        code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
        here = os.getcwd()
        os.chdir(self.folder)
        for name in ("crambin.pdb.gz", "crambin_charges/crambin_charges.pqr.gz"):
            source = examples / name
            (self.folder / source.name).write_bytes(source.read_bytes())
        (self.folder / "ethylene.molden.gz").write_bytes(ETHYLENE.read_bytes())
        try:
            exec(compile(code, "docs/python.md", "exec"), {})
        finally:
            os.chdir(here)


if __name__ == "__main__":
    isolume.set_program(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
