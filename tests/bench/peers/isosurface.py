#!/usr/bin/env python3
"""Times VTK's FlyingEdges and scikit-image's marching cubes on the volume of `bench_surface marching-cubes`.

    bench_surface --device cpu --volume gyroid.raw marching-cubes && python3 isosurface.py gyroid.raw [BENCH [ROUNDS]]

Prints for each the best and the median of five times, vertices, triangles, area and Euler number: those that
bench_surface prints for the same volume and isovalue (floats). Threads: what each uses by itself. With the path of
bench_surface, runs it and the two in turn, ROUNDS times (5), and prints the ratios of each round's medians: what else
the machine does changes from minute to minute.
"""
import re
import subprocess
import sys
import time

import numpy as np


def best_of(function, repeats=5):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - begin)
    return min(times), sorted(times)[repeats // 2], result


def isolume(bench):
    """Median of bench_surface on floats, ms."""
    text = subprocess.run([bench, "--device", "cpu", "marching-cubes"], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"floats: ([0-9.]+) ms", text)[1])


def in_turn(bench, rounds, peers):
    ratios = {name: [] for name in peers}
    for _ in range(rounds):
        own = isolume(bench)
        print(f"Isolume {own:.1f} ms", end="")
        for name, function in peers.items():
            median = best_of(function, 3)[1] * 1e3
            ratios[name].append(median / own)
            print(f", {name} {median:.1f} ms ({median / own:.2f} times)", end="")
        print(flush=True)
    for name, values in ratios.items():
        print(f"{name}: {sorted(values)[len(values) // 2]:.2f} times ({min(values):.2f} to {max(values):.2f})")


def describe(name, best, median, vertices, triangles):
    a, b, c = (vertices[triangles[:, i]].astype(np.float64) for i in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    edges = len(np.unique(sides[:, 0].astype(np.int64) * (1 << 32) + sides[:, 1]))
    used = len(np.unique(triangles))
    print(f"{name}: {best * 1e3:.1f} ms best, {median * 1e3:.1f} ms median, {len(vertices)} vertices, "
          f"{len(triangles)} triangles, area {area:.1f}, Euler {used - edges + len(triangles)}")


def main():
    count, isovalue = 256, 0.53
    peers = {}
    volume = np.fromfile(sys.argv[1], np.float32).reshape(count, count, count)  # z, y, x
    try:
        import vtk
        from vtk.util import numpy_support
        image = vtk.vtkImageData()
        image.SetDimensions(count, count, count)
        values = numpy_support.numpy_to_vtk(volume.ravel())
        values.SetName("values")
        image.GetPointData().SetScalars(values)

        def flying_edges():
            surface = vtk.vtkFlyingEdges3D()
            surface.SetInputData(image)
            surface.SetValue(0, isovalue)
            surface.ComputeNormalsOn()
            surface.ComputeGradientsOff()
            surface.ComputeScalarsOff()
            surface.Update()
            return surface.GetOutput()

        peers["VTK"] = flying_edges
        best, median, mesh = best_of(flying_edges)
        vertices = numpy_support.vtk_to_numpy(mesh.GetPoints().GetData())
        triangles = numpy_support.vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        describe(f"VTK {vtk.vtkVersion().GetVTKVersion()} FlyingEdges", best, median, vertices, triangles)
    except ImportError as error:
        print(f"VTK: {error}")
    try:
        import skimage
        from skimage.measure import marching_cubes
        peers["scikit-image"] = lambda: marching_cubes(volume, isovalue)
        best, median, result = best_of(peers["scikit-image"], 3)
        describe(f"scikit-image {skimage.__version__}", best, median, result[0], result[1])
    except ImportError as error:
        print(f"scikit-image: {error}")
    if len(sys.argv) > 2:
        in_turn(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 5, peers)


if __name__ == "__main__":
    main()
