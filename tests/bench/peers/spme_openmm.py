"""OpenMM's reciprocal part of PME, beside bench_spme: the same random charges in number, mesh and Ewald parameter.

Usage: spme_openmm.py [PLATFORM...]. OpenMM's order is 5. Only the reciprocal force group is integrated, so that a step
is the mesh part and a Verlet step; the time of a step without any force is printed too.
"""

import random
import sys
import time

import openmm
from openmm import unit

SIZES = [
    ("DHFR", 23558, (6.223, 6.223, 6.223), (64, 64, 64)),
    ("ApoA1", 92224, (10.886, 10.886, 7.776), (108, 108, 80)),
    ("STMV", 1066628, (21.683, 21.683, 21.683), (216, 216, 216)),
]
ALPHA = 3.4705  # 1/nm


def seconds_a_step(integrator, steps, context):
    integrator.step(10)
    context.getState(getEnergy=False, getPositions=False).getTime()
    best = 1e300
    for _ in range(5):
        begin = time.perf_counter()
        integrator.step(steps)
        context.getState().getTime()
        best = min(best, (time.perf_counter() - begin) / steps)
    return best


def main():
    platforms = sys.argv[1:] or [openmm.Platform.getPlatform(i).getName() for i in range(openmm.Platform.getNumPlatforms())]
    for platform_name in platforms:
        if platform_name == "Reference":
            continue
        platform = openmm.Platform.getPlatformByName(platform_name)
        for name, atoms, edges, mesh in SIZES:
            if platform_name == "CPU" and atoms > 500000:
                continue
            random.seed(7)
            system = openmm.System()
            system.setDefaultPeriodicBoxVectors((edges[0], 0, 0), (0, edges[1], 0), (0, 0, edges[2]))
            force = openmm.NonbondedForce()
            force.setNonbondedMethod(openmm.NonbondedForce.PME)
            force.setCutoffDistance(0.9)
            force.setPMEParameters(ALPHA, *mesh)
            force.setReciprocalSpaceForceGroup(1)
            for i in range(atoms):
                system.addParticle(1e6)
                force.addParticle(0.4 if i % 2 else -0.4, 0.1, 0)
            system.addForce(force)
            positions = [tuple(random.random() * e for e in edges) for _ in range(atoms)]
            properties = {"Threads": "2"} if platform_name == "CPU" else {"Precision": "mixed"}
            times = []
            for groups in ({1}, {31}):
                integrator = openmm.VerletIntegrator(1e-6 * unit.picoseconds)
                integrator.setIntegrationForceGroups(groups)
                context = openmm.Context(system, integrator, platform, properties)
                context.setPositions(positions)
                times.append(seconds_a_step(integrator, 200 if platform_name == "CUDA" else 20, context))
                del context, integrator
            print(f"OpenMM {openmm.__version__} {platform_name}, {name}'s size ({atoms} atoms), mesh {mesh}, order 5: "
                  f"{1e3 * times[0]:.4f} ms a step with the mesh part, {1e3 * times[1]:.4f} ms without", flush=True)


if __name__ == "__main__":
    main()
