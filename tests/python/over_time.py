"""Fields over frames, volume maps, probes, comparisons and field lines from Python: over_time.py PROGRAM.

Expected values are formulas: Coulomb's law in vacuum, Gaussians, distances.
"""

import pathlib
import re
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
from poles import POLES, VOLTS, coulomb, write_poles  # noqa: E402


class OverTime(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory()) if hasattr(self, "enterContext") else tempfile.mkdtemp()
        )
        self.poles = write_poles(self.folder)

    def moving_poles(self):
        """Files of the poles whose second is at x = 3, 4 and 6, and these."""
        away = [3.0, 4.0, 6.0]
        frames = self.folder / "poles.xyz"
        frames.write_text("".join(f"2\n\nN 0 0 0\nN {x} 0 0\n" for x in away))
        return [self.poles, isolume.convert(frames, self.folder / "poles.dcd")], away

    def test_any_number_of_the_atoms_is_mapped(self):
        numbers = np.arange(1.0, len(POLES) + 1)
        volume = isolume.compute.volmap(self.poles, kind="value", values=numbers, radius=1.5, spacing=1.0)
        points = volume.points()
        exact = sum(
            n * (2 * np.pi * 1.5**2) ** -1.5 * np.exp(-np.sum((points - np.array(at)) ** 2, axis=-1) / (2 * 1.5**2))
            for n, (at, _) in zip(numbers, POLES)
        )
        np.testing.assert_allclose(volume.values, exact, atol=2e-6 * len(POLES))
        with self.assertRaises(isolume.InputError):
            isolume.compute.volmap(self.poles, kind="value", values=numbers[:-1], radius=1.5)

    def test_fields_over_the_frames_of_a_trajectory(self):
        files, away = self.moving_poles()

        def volts(points, x):
            first, second = (VOLTS * q / np.linalg.norm(points - np.array([at, 0, 0]), axis=-1)
                             for at, q in ((0.0, 1.0), (x, -0.5)))
            return np.array([first, second, first + second])

        point = np.array([4.0, 5.0, 6.0])
        places = self.folder / "points.csv"
        places.write_text("4,5,6\n")
        for method in ("direct", "hcp"):  # residues of one atom are what stands for them
            table = isolume.compute.probe(files, points=places, by="residue", method=method, device="cpu")
            np.testing.assert_array_equal(table["frame"], np.repeat(np.arange(3), 3))
            np.testing.assert_allclose(table["potential"], np.ravel([volts(point, x) for x in away]), rtol=2e-6)
        mean = isolume.compute.potential(files, average=True, at=point, method="hcp", device="cpu")
        np.testing.assert_allclose(mean.values[0, 0], np.mean([volts(point, x)[2] for x in away]), rtol=2e-6)
        self.assertTrue(np.isnan(mean.values[0, 1]), "three frames are too few for an error")
        # The second less the first.
        options = dict(second_files=files, second_frame=2, spacing=1.5, device="cpu")
        volume = isolume.compute.compare(files, **options)
        points = volume.points()
        far = np.min([np.linalg.norm(points - [x, 0, 0], axis=-1) for x in (0.0, 3.0, 6.0)], axis=0) > 0.5
        expected = volts(points[far], 6.0)[2] - volts(points[far], 3.0)[2]
        np.testing.assert_allclose(volume.values[far], expected, atol=1e-4)
        self.assertFalse(isolume.compute.compare(files, **{**options, "second_frame": 0}).values.any())
        with self.assertRaisesRegex(isolume.UsageError, "there are 3 frames"):
            isolume.compute.probe(files, points=places, frames="7")
        with self.assertRaisesRegex(isolume.UsageError, "second is missing"):
            isolume.compute.compare(files, at=point)

    def test_parts_of_averages_are_merged_and_subtracted(self):
        files, away = self.moving_poles()
        options = dict(average=True, method="direct", counts=[6, 5, 4], device="cpu")
        parts = [self.folder / name for name in ("begin.part", "end.part")]
        for part, frames in zip(parts, ("0:2", "2:3")):
            isolume.compute.potential(files, frames=frames, partial=part, **options)
        mean = isolume.merge(parts)
        points = mean.points()
        exact = np.mean(
            [VOLTS * (1 / np.linalg.norm(points, axis=-1) - 0.5 / np.linalg.norm(points - [x, 0, 0], axis=-1))
             for x in away], axis=0)  # fmt: skip
        far = np.isfinite(exact) & (np.abs(exact) < 20)
        self.assertGreater(far.sum(), 50)
        np.testing.assert_allclose(mean.values[far], exact[far], atol=1e-4)
        joined = isolume.merge(parts, partial=self.folder / "joined.part")
        self.assertEqual(joined, self.folder / "joined.part")
        zero = isolume.merge(joined, minus=parts)
        self.assertLess(np.abs(zero.values).max(), 1e-6)
        self.assertEqual(zero.unit, "V")
        other = self.folder / "other.part"
        isolume.compute.potential(files, partial=other, **{**options, "counts": [7, 5, 4]})
        with self.assertRaisesRegex(isolume.InputError, "another grid"):
            isolume.merge(parts, minus=other)

    def test_frames_and_grids_that_do_not_fit_are_refused(self):
        def gro(frame, count):
            lines = [f"t= {frame}.0", str(count)]
            lines += [f"{1:5}{'ION':<5}{'NA':>5}{i + 1:5}{0.3 * i:8.3f}{0.01 * frame:8.3f}{0:8.3f}" for i in range(count)]
            return "\n".join([*lines, "   0.0 0.0 0.0", ""])

        odd = self.folder / "odd.gro"
        odd.write_text("".join(gro(f, 3 if f == 3 else 4) for f in range(5)))
        with self.assertRaisesRegex(isolume.InputError, r"same atoms in every frame.*frame 4 \(3 atoms\)"):
            isolume.compute.volmap(odd, spacing=2)
        files, _ = self.moving_poles()
        with self.assertRaisesRegex(isolume.UsageError, "frame 5"):
            isolume.compute.compare(files, second_files=files, second_frame=5, spacing=2, device="cpu")
        one, other = (self.folder / name for name in ("one.dx", "other.dx"))
        for path, counts in ((one, [6, 5, 4]), (other, [7, 5, 4])):
            isolume.compute.potential(files, counts=counts, out=path, device="cpu")
        with self.assertRaisesRegex(isolume.UsageError, "resample"):
            isolume.compute.map(one, minus=other)
        isolume.compute.map(one, minus=other, resample=True)
        self.assertFalse(isolume.compute.map(one, minus=one).values.any())

    def test_methods_are_compared_at_points(self):
        points = np.array([[3.0, 1.0, 0.5], [4.5, -2.0, 2.0], [-2.0, -2.0, -2.0]])
        found = isolume.compute.compare(
            self.poles, first="direct", second="direct --dielectric constant:4", third="msm --accuracy 1e-3", at=points,
            device="cpu", repeats=1,
        )  # fmt: skip
        exact = coulomb(points)
        self.assertEqual(found.values.shape, (3, 5))
        np.testing.assert_array_equal(found.points, points)
        np.testing.assert_allclose(found.values[:, :2], np.stack([exact, exact / 4], 1), rtol=1e-9)
        np.testing.assert_allclose(found.values[:, 3], -0.75 * exact, rtol=1e-9)
        # On a grid there is a map for each difference.
        two, three = isolume.compute.compare(
            self.poles, first="direct", second="direct --dielectric constant:4", third="direct --dielectric constant:2",
            spacing=1.5, device="cpu", repeats=1,
        )  # fmt: skip
        self.assertEqual([two.info["name"], three.info["name"]], ["second", "third"])
        np.testing.assert_allclose(two.values, 1.5 * three.values, rtol=1e-4, atol=1e-5)
        apart = found.values[:, 2] - exact
        self.assertIsNone(found.result["first"]["error"])
        self.assertAlmostEqual(found.result["third"]["error"]["rms"], np.sqrt(np.mean(apart**2)), delta=1e-9)
        self.assertEqual(found.result["columns"][3:], ["second less first", "third less first"])

    def test_kinds_of_volume_maps(self):
        files, away = self.moving_poles()
        radius = 0.9

        def volmap(kind, **more):
            return isolume.compute.volmap(files, kind=kind, spacing=0.5, **more)

        def distances(points):
            return [[np.linalg.norm(points - [x, 0, 0], axis=-1) for x in (0.0, moved)] for moved in away]

        def gaussians(points, weights):
            height = (2 * np.pi * radius**2) ** -1.5
            each = [
                sum(w * height * np.exp(-(d**2) / (2 * radius**2)) for w, d in zip(weights, pair))
                for pair in distances(points)
            ]
            return np.mean(each, axis=0)

        for kind, weights, unit in (
            ("density", (1, 1), "1/A^3"),
            ("mass", (14.007, 14.007), "Da/A^3"),
            ("charge", (1.0, -0.5), "e/A^3"),
        ):
            with self.subTest(kind):
                volume = volmap(kind, radius=radius)
                self.assertEqual(volume.unit, unit)
                # Beyond 5.55 radii an atom is left out: 2.1e-7 of its height.
                np.testing.assert_allclose(volume.values, gaussians(volume.points(), weights), rtol=2e-6, atol=4e-6)
        voxels = volmap("density", spread="voxel")
        self.assertAlmostEqual(voxels.values.sum() * 0.5**3, 2, places=5)
        occupancy = volmap("occupancy", radius=radius)
        inside = np.mean([np.min(pair, axis=0) <= radius for pair in distances(occupancy.points())], axis=0)
        np.testing.assert_allclose(occupancy.values, inside, atol=1e-6)
        self.assertEqual(set(np.round(3 * occupancy.values.ravel())), {0, 1, 2, 3})
        distance = volmap("distance", reach=4)
        nearest = np.mean([np.minimum(np.min(pair, axis=0), 4) for pair in distances(distance.points())], axis=0)
        np.testing.assert_allclose(distance.values, nearest, atol=1e-5)
        # The first stays for three frames, the second for one at a time.
        stays = volmap("residence", radius=0.4)
        step = stays.result["frame_step"]
        points = stays.points()
        longest = np.where(np.linalg.norm(points, axis=-1) <= 0.4, 3 * step, 0.0)
        for x in away:
            longest = np.where(np.linalg.norm(points - [x, 0, 0], axis=-1) <= 0.4, step, longest)
        np.testing.assert_allclose(stays.values, longest, rtol=1e-6)
        self.assertEqual(stays.result["stays"], np.count_nonzero(longest))
        sites = self.folder / "sites.csv"
        volmap("density", radius=radius, peaks=sites)
        self.assertTrue(sites.read_text().startswith("site,x (angstrom)"))
        with self.assertRaisesRegex(isolume.UsageError, "has no cell"):
            volmap("density", unit="bulk")
        with self.assertRaisesRegex(isolume.UsageError, "no Lennard-Jones parameters"):
            volmap("water-energy")

    def test_spatial_distributions_around_residues(self):
        residues = [  # CA, C and N; the second is turned by a quarter about z
            ([0, 0, 0], [1.5, 0, 0], [0, 1.5, 0]),
            ([30, 0, 0], [30, 1.5, 0], [28.5, 0, 0]),
        ]
        waters = np.array([[2, 1, 2], [29, 2, 2]], float)  # each at (2, 1, 2) as its residue sees it
        lines = []
        for i, atoms in enumerate(residues):
            for name, place in zip(("CA", "C", "N"), atoms):
                lines.append((name, "ALA", i + 1, place))
        lines += [("O", "HOH", 3 + i, place) for i, place in enumerate(waters)]
        path = self.folder / "around.pdb"
        with open(path, "w") as file:
            for frame in range(2):
                file.write(f"MODEL     {frame + 1:4d}\n")
                for n, (name, residue, number, (x, y, z)) in enumerate(lines):
                    x, y, z = x + 5 * frame, y - frame, z  # all move, and nobody sees it
                    file.write(
                        f"ATOM  {n + 1:5d}  {name:<3s} {residue} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                        f"  1.00  0.00           {name[0]}\n"
                    )
                file.write("ENDMDL\n")
        volume = isolume.compute.volmap(
            path, around="resname ALA", select="resname HOH", radius=0.6, spacing=0.5, half_width=4
        )
        self.assertEqual(volume.counts, (17, 17, 17))
        d2 = np.sum((volume.points() - [2, 1, 2]) ** 2, axis=-1)
        expected = (2 * np.pi * 0.6**2) ** -1.5 * np.exp(-d2 / (2 * 0.6**2))
        np.testing.assert_allclose(volume.values, expected, atol=2e-6)
        self.assertEqual(volume.method["residues"], 2)
        with self.assertRaises(isolume.UsageError):
            isolume.compute.volmap(path, around="resname GLY", select="resname HOH")

    def test_field_lines_are_drawn(self):
        options = dict(surface="potential", spacing=0.5, size="160x120", samples=1, device="cpu")

        def lines_of(picture):
            field = picture.report["method"]["scene"]["fields"][0]
            self.assertEqual(field["show"], "lines")
            return int(re.search(r"(\d+) field lines", picture.report["result"]["fields"][0]["summary"])[1])

        drawn = {}
        for place in ("surface", "plane:z", "around:index 0:1.8"):
            picture = isolume.render(self.poles, field_lines=40, field_lines_from=place, **options)
            self.assertTrue(5 <= lines_of(picture) <= 40, place)
            drawn[place] = picture.png
        self.assertEqual(len(set(drawn.values())), 3)
        fewer = isolume.render(self.poles, field_lines=12, **options)
        self.assertLessEqual(lines_of(fewer), 12)
        with self.assertRaisesRegex(isolume.IsolumeError, "outside the field's grid"):
            isolume.render(self.poles, field_lines=12, field_lines_from="plane:z:50", **options)
        with self.assertRaisesRegex(isolume.UsageError, "there are surface, plane:PLANE and around:SELECTION"):
            isolume.render(self.poles, field_lines=12, field_lines_from="sphere", **options)

    def test_the_mean_of_densities(self):
        places = [0.0, 0.5, 0.8]  # bohr, of one electron in an s function of exponent 0.5
        for i, x in enumerate(places):
            text = f"[Molden Format]\n[Atoms] AU\nH 1 1 {x} 0 0\n[GTO]\n1 0\n s 1 1.0\n 0.5 1.0\n\n[MO]\n"
            (self.folder / f"h_{i}.molden").write_text(text + "Ene= -0.5\nSpin= Alpha\nOccup= 1\n1 1.0\n")
        files = [self.folder / f"h_{i}.molden" for i in range(3)]

        def exact(points):
            bohr = np.atleast_2d(points) / 0.529177210544
            return np.mean([np.pi**-1.5 * np.exp(-np.sum((bohr - [x, 0, 0]) ** 2, axis=-1)) for x in places], axis=0)

        points = np.array([[0.1, 0.2, 0.3], [1.0, 0.0, 0.0]])
        values = isolume.compute.density(files, average=True, at=points)
        np.testing.assert_allclose(values.values[:, 0], exact(points), rtol=1e-6)
        volume = isolume.compute.density(files, average=True, spacing=0.5, margin=2.0)
        np.testing.assert_allclose(volume.values.ravel(), exact(volume.points().reshape(-1, 3)), atol=1e-6)


if __name__ == "__main__":
    isolume.set_program(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
