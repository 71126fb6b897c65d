#!/usr/bin/env python3
"""VTK's FlyingEdges and scikit-image's marching cubes on a 256^3 sum of Gaussians; area and Euler number for comparison."""

import json
import sys
import time

import numpy as np


def volume(n=256, blobs=200, seed=7):
    """Gaussians at random places: the same formula and the same generator as in bench_compute's --dump option."""
    if len(sys.argv) > 1:
        return np.fromfile(sys.argv[1], dtype=np.float32).reshape(n, n, n)
    rng = np.random.default_rng(seed)
    field = np.zeros((n, n, n), np.float32)
    axis = np.arange(n, dtype=np.float32)
    for x, y, z in rng.uniform(20, n - 20, (blobs, 3)):
        sigma = rng.uniform(6, 14)
        gx, gy, gz = (np.exp(-((axis - c) ** 2) / (2 * sigma * sigma)) for c in (x, y, z))
        field += gz[:, None, None] * gy[None, :, None] * gx[None, None, :]
    return field


def median_time(call, repeats=5):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - begin)
    return sorted(times)[repeats // 2], result


def with_vtk(field, level):
    import vtk
    from vtk.util import numpy_support

    image = vtk.vtkImageData()
    image.SetDimensions(*field.shape[::-1])
    image.GetPointData().SetScalars(numpy_support.numpy_to_vtk(field.ravel()))

    def call():
        edges = vtk.vtkFlyingEdges3D()
        edges.SetInputData(image)
        edges.SetValue(0, level)
        edges.ComputeNormalsOn()
        edges.Update()
        return edges.GetOutput()

    seconds, mesh = median_time(call)
    properties = vtk.vtkMassProperties()
    properties.SetInputData(mesh)
    return {"peer": "VTK FlyingEdges3D", "seconds": seconds, "vertices": mesh.GetNumberOfPoints(),
            "triangles": mesh.GetNumberOfCells(), "area": properties.GetSurfaceArea()}


def with_skimage(field, level):
    from skimage import measure

    seconds, (vertices, faces, _, _) = median_time(lambda: measure.marching_cubes(field, level), 3)
    return {"peer": "scikit-image marching_cubes", "seconds": seconds, "vertices": len(vertices),
            "triangles": len(faces), "area": float(measure.mesh_surface_area(vertices, faces))}


def main():
    field = volume()
    for peer in (with_vtk, with_skimage):
        print(json.dumps(peer(field, 0.5)))


if __name__ == "__main__":
    main()
