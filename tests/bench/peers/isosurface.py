#!/usr/bin/env python3
"""Times VTK's FlyingEdges and scikit-image's marching cubes on the volume of `bench_surface marching-cubes`.

    bench_surface --device cpu --volume gyroid.raw marching-cubes && python3 isosurface.py gyroid.raw

Prints for each the best and the median of five times, vertices, triangles, area and Euler number: those that
bench_surface prints for the same volume and isovalue (floats). Threads: what each uses by itself.
"""
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

        best, median, mesh = best_of(flying_edges)
        vertices = numpy_support.vtk_to_numpy(mesh.GetPoints().GetData())
        triangles = numpy_support.vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        describe(f"VTK {vtk.vtkVersion().GetVTKVersion()} FlyingEdges", best, median, vertices, triangles)
    except ImportError as error:
        print(f"VTK: {error}")
    try:
        import skimage
        from skimage.measure import marching_cubes
        best, median, result = best_of(lambda: marching_cubes(volume, isovalue), 3)
        describe(f"scikit-image {skimage.__version__}", best, median, result[0], result[1])
    except ImportError as error:
        print(f"scikit-image: {error}")


if __name__ == "__main__":
    main()
