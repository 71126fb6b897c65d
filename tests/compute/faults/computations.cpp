// Every computation that has a CUDA body but those of potentials, energies, orbitals and densities of electrons, small.
#include "tests/compute/faults/computations.h"

#include <cmath>
#include <complex>
#include <utility>

#include "compute/analysis/analysis.h"
#include "compute/analysis/distance_counts.h"
#include "compute/analysis/sasa.h"
#include "compute/analysis/volume_samples.h"
#include "compute/density/gaussian_density.h"
#include "compute/density_maps/density_map.h"
#include "compute/density_maps/map_forces.h"
#include "compute/density_maps/map_search.h"
#include "compute/density_maps/map_series.h"
#include "compute/density_maps/map_windows.h"
#include "compute/density_maps/rigid_slopes.h"
#include "compute/dynamics/dynamics.h"
#include "compute/fft/fft_cuda.h"
#include "compute/field_lines/line_tracing.h"
#include "compute/frames/frame_bonds.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/molecular_surface/molecular_surface.h"
#include "compute/over_time/difference.h"
#include "compute/over_time/group_potential.h"
#include "compute/over_time/running_statistics.h"
#include "compute/sampling/ion_placement.h"
#include "compute/sampling/probe_field.h"
#include "molecule/base/error.h"
#include "molecule/molecule.h"
#include "tests/compute/dynamics/dynamics_systems.h"
#include "tests/compute/faults/made_inputs.h"

namespace isolume::test {
namespace {

std::vector<double> gaussian(Device device) {
  Job job;
  const Grid grid = fault_grid();
  DeviceArray<glm::vec3> colours(grid.size(), device, "colours");
  return floats_on(device, grid.size(), [&](Span<float> values) {
    gaussian_density(fault_density_atoms(), grid, {}, values, colours.span(), job);
  });
}

std::vector<double> solvent(Device device, SolventSurface kind) {
  Job job;
  MolecularSurfaceOptions options;
  options.kind = kind;
  const Grid grid = molecular_surface_grid(fault_density_atoms(), options, 0.8);
  return floats_on(device, grid.size(), [&](Span<float> values) {
    molecular_surface(fault_density_atoms(), grid, options, values, {}, job);
  });
}

std::vector<double> excluded(Device device) {
  return solvent(device, SolventSurface::excluded);
}

std::vector<double> accessible(Device device) {
  return solvent(device, SolventSurface::accessible);
}

/// A ball: area and number of vertices do not depend on the order in which vertices are made.
std::vector<double> isosurface(Device device) {
  Job job;
  const Grid grid = make_grid({-5, -5, -5}, {0.5, 0.5, 0.5}, {21, 21, 21});
  std::vector<float> values;
  for (const glm::dvec3 p : grid_points(grid)) values.push_back(static_cast<float>(4 - glm::length(p)));
  const auto there = DeviceArray<float>::from_host(values, device);
  MarchingCubesOptions options;
  options.isovalue = 0;
  const Mesh mesh = marching_cubes(there.span(), grid, options, {}, job);
  double area = 0;
  for (const glm::uvec3 t : mesh.triangles) {
    const glm::dvec3 a(mesh.positions[t.x]), b(mesh.positions[t.y]), c(mesh.positions[t.z]);
    area += 0.5 * glm::length(glm::cross(b - a, c - a));
  }
  return {static_cast<double>(mesh.positions.size()), static_cast<double>(mesh.triangles.size()), area};
}

std::vector<double> sasa(Device device) {
  Job job;
  Random random(4);
  std::vector<SasaAtom> atoms;
  for (int i = 0; i < 200; ++i) atoms.push_back({glm::vec3(random.in_box(-8, 8)), 1.6f});
  return floats_on(device, atoms.size(), [&](Span<float> areas) { solvent_accessible_area(atoms, {}, areas, job); });
}

std::vector<double> distances(Device device) {
  Job job;
  Random random(5);
  std::vector<glm::vec3> points;
  for (int i = 0; i < 500; ++i) points.emplace_back(random.in_box(0, 20));
  DeviceArray<std::uint64_t> counts(100, device, "counts");
  const std::vector<std::uint64_t> none(100, 0);
  copy_memory(counts.data(), device, none.data(), Device::cpu(), none.size() * sizeof(none[0]));
  const Cell cell = Cell::from_lengths_angles({20, 20, 20}, {90, 90, 90});
  count_distances_within({Span<const glm::vec3>{points.data(), points.size(), Device::cpu()}, {}}, cell, {9, 100},
                         counts.span(), job);
  const std::vector<std::uint64_t> found = counts.copy_to_host();
  return {found.begin(), found.end()};
}

/// A trajectory of points that wobble, as analyses take it.
AnalysisRequest wobbling(AnalysisKind kind, Device device) {
  Random random(6);
  TopologyBuilder builder;
  for (int i = 0; i < 60; ++i) {
    Atom atom;
    atom.name = "CA";
    atom.element = 6;
    atom.charge = 0.1f;
    builder.add(atom, "ALA", i + 1, ' ', "A");
  }
  builder.topology().has_charges = true;
  std::vector<Frame> frames(6);
  for (Frame& frame : frames) {
    for (int i = 0; i < 60; ++i)
      frame.positions.emplace_back(glm::dvec3(i % 5, i / 5 % 4, i / 20) * 3.0 + random.in_box(0, 1));
    frame.cell = Cell::from_lengths_angles({25, 25, 25}, {90, 90, 90});
  }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<const MemoryTrajectory>(std::move(frames));
  AnalysisRequest request;
  request.kind = kind;
  request.molecule = std::move(molecule);
  request.frames = {0, 1, 2, 3, 4, 5};
  request.selection = "resid 1 to 40";
  request.device = device;
  return request;
}

template <AnalysisKind kind>
std::vector<double> of_frames(Device device) {
  Job job;
  AnalysisRequest request = wobbling(kind, device);
  if (kind == AnalysisKind::distance || kind == AnalysisKind::contacts) request.other = "resid 30 to 60";
  const AnalysisTable table = analyse(request, job);
  std::vector<double> values;
  for (const AnalysisColumn& column : table.columns)
    values.insert(values.end(), column.values.begin(), column.values.end());
  return values;
}

/// Oxygens without hydrogens, which are bonded where they are near.
std::vector<double> bonds_of_frames(Device device) {
  Job job;
  Random random(4);
  TopologyBuilder builder;
  constexpr std::size_t atoms = 80, frames = 3;
  for (std::size_t i = 0; i < atoms; ++i) {
    Atom atom;
    atom.name = "O";
    atom.element = 8;
    builder.add(atom, "HOH", static_cast<int>(i + 1), ' ', "W");
  }
  const Topology topology = builder.finish();
  const FrameBonds bonds(HydrogenBondSites(topology, std::vector<std::uint8_t>(atoms, 1)), {}, device);
  std::vector<glm::vec3> places;
  for (std::size_t f = 0; f < frames; ++f) {
    std::vector<glm::vec3> of_atoms;
    for (std::size_t i = 0; i < atoms; ++i) of_atoms.emplace_back(random.in_box(-6, 6));
    for (const std::uint32_t atom : bonds.atoms()) places.push_back(of_atoms[atom]);
  }
  const auto there = DeviceArray<glm::vec3>::from_host(places, device);
  const FrameGroup group{frames, bonds.atoms().size(), there.span(), {}};
  std::vector<double> found;
  for (const std::size_t count : bonds.count(group, job)) found.push_back(static_cast<double>(count));
  for (const auto& frame : bonds.of(group, job))
    for (const HydrogenBond& bond : frame) found.push_back(bond.donor * 100.0 + bond.acceptor);
  return found;
}

std::vector<double> transform(Device device) {
  const glm::ivec3 n(32, 24, 20);
  const std::size_t count = 32 * 24 * 20;
  Random random(6);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random(-1, 1));
  Stream stream(device);
  auto there = DeviceArray<float>::from_host(values, stream, "values");
  DeviceArray<std::complex<float>> spectrum(17 * 24 * 20, stream, "spectrum");
  if (device.is_cuda()) {
    CudaFft fft(stream);
    fft.forward(n, there.data(), spectrum.data());
    fft.backward(n, spectrum.data(), there.data());
    stream.synchronize();
  }
  const std::vector<float> back = there.copy_to_host();
  std::vector<double> found;
  for (const float value : back) found.push_back(static_cast<double>(value) / static_cast<double>(count));
  return found;
}

std::vector<double> dynamics(Device device) {
  Job job;
  const DynamicsSystem system = chains(12, 6, {}, 14);
  DynamicsOptions options;
  options.time_step = 0.0005;
  Dynamics run(direct_forces(system, device), system.positions, options);
  run.draw_velocities();
  run.advance(3, job);
  const DynamicsSample sample = run.sample(job);
  std::vector<double> found{sample.energies.potential(), sample.kinetic};
  for (const glm::vec3 p : run.frame().positions) found.push_back(p.x);
  return found;
}

std::vector<double> density_maps(Device device) {
  Job job;
  Random random(8);
  std::vector<MapAtom> atoms;
  for (int i = 0; i < 150; ++i)
    atoms.push_back({glm::vec3(random.in_box(-6, 6)), static_cast<float>(random(0.5, 1.5)), 1.0f});
  const Grid grid = fault_grid();
  DeviceArray<float> map(grid.size(), device, "map");
  density_map(atoms, grid, map.span(), job);
  std::vector<double> found = floats_on(device, grid.size(), [&](Span<float> values) {
    const ComparedSums sums = compared_density_map(atoms, grid, {std::as_const(map).span(), 0.1f, 0.1f}, values, job);
    if (!(sums.all.count > 0)) throw Error("nothing was compared");
  });
  return found;
}

std::vector<double> map_series(Device device) {
  Job job;
  Random random(8);
  std::vector<MapAtom> atoms;
  std::vector<std::uint32_t> numbers;
  std::vector<glm::vec3> positions;
  for (std::uint32_t i = 0; i < 150; ++i) {
    positions.emplace_back(random.in_box(-6, 6));
    atoms.push_back({positions.back(), static_cast<float>(random(0.5, 1.5)), 1.0f});
    numbers.push_back(i);
  }
  const Grid grid = fault_grid();
  const std::vector<float> map(grid.size(), 2.0f);
  MapSeries series({atoms, numbers, grid, map, 0.1f, 0.1f, true}, device);
  series.put(positions, job);
  series.put(positions, job);
  std::vector<double> found;
  for (int frame = 0; frame < 2; ++frame) {
    found.push_back(series.take(job).all.ab);
    DeviceArray<std::uint8_t> mask(grid.size(), device, "mask");
    const std::vector<glm::dvec3> places(positions.begin(), positions.end());
    points_near(grid, places, 2, mask.span(), job);
    const MapPair maps{series.map(), series.model()};
    found.push_back(masked_sums(maps, mask.span(), job).ab);
    const std::vector<std::vector<std::uint32_t>> groups{{0, 1, 2}, {7}};
    for (const MapSums& sums : window_sums(grid, maps, places, groups, 2, job)) found.push_back(sums.ab);
  }
  return found;
}

std::vector<double> map_forces(Device device) {
  Job job;
  Random random(8);
  const Grid grid = fault_grid();
  std::vector<float> values(grid.size());
  for (float& value : values) value = static_cast<float>(random(0, 1));
  std::vector<glm::dvec3> places;
  for (int i = 0; i < 60; ++i) places.push_back(random.in_box(-2, 2));
  const MapForces map(std::make_shared<const MapPotential>(grid, values, 0.1, 1), std::vector<double>(60, 2.0), device);
  const auto positions = DeviceArray<glm::dvec3>::from_host(places, device);
  auto forces = DeviceArray<glm::dvec3>::from_host(places, device);
  Stream stream(device);
  return {map.add(positions.span(), forces.span(), stream, job), forces.copy_to_host().front().x};
}

std::vector<double> map_search(Device device) {
  Job job;
  Random random(8);
  const SearchMesh mesh = SearchMesh::of(make_grid({0, 0, 0}, {2, 2, 2}, {9, 10, 8}), 2, 8);
  std::vector<float> map(mesh.points());
  for (float& value : map) value = static_cast<float>(random(0, 1));
  std::vector<glm::dvec3> places;
  const std::vector<double> weights(30, 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) places.push_back(random.in_box(-4, 4));
  const std::vector<glm::dquat> turns = spread_rotations(40);
  const BestTurns best = best_turns({mesh, map, places, weights, turns}, device, job);
  return {best.scores.begin(), best.scores.end()};
}

std::vector<double> rigid_slopes(Device device) {
  Job job;
  Random random(8);
  const Grid grid = make_grid({-6, -6, -6}, {1.5, 1.5, 1.5}, {9, 9, 9});
  std::vector<float> values(grid.size());
  for (float& value : values) value = static_cast<float>(random(0, 1));
  const MapSpline map(grid, values);
  RigidModel model;
  for (int i = 0; i < 40; ++i) {
    model.positions.push_back(random.in_box(-4, 4));
    model.weights.push_back(1);
  }
  const RigidSlope slope = RigidSlopes(map, model, device).at({}, job);
  return {slope.value, slope.force.x, slope.torque.z};
}

std::vector<double> samples(Device device) {
  Job job;
  const Grid grid = fault_grid();
  std::vector<float> shape, values;
  for (const glm::dvec3 p : grid_points(grid)) {
    shape.push_back(static_cast<float>(5 - glm::length(p)));
    values.push_back(static_cast<float>(p.x + 0.3 * p.y));
  }
  const auto shape_there = DeviceArray<float>::from_host(shape, device);
  const auto values_there = DeviceArray<float>::from_host(values, device);
  auto less = DeviceArray<float>::from_host(shape, device);
  take_off(less.span(), values_there.span(), 2, job);
  const std::vector<std::size_t> points{0, 7, 99};
  const std::vector<float> at = values_at(values_there.span(), points);
  std::vector<double> found(at.begin(), at.end());
  found.push_back(mean_square(values_there.span(), job));
  found.push_back(mean_square(std::as_const(less).span(), job));
  found.push_back(
      magnitude_at_surface(grid, shape_there.span(), 0.5f, SurfaceSide::above, values_there.span(), 0.98, job));
  return found;
}

std::vector<double> statistics(Device device) {
  Job job;
  RunningStatistics kept(100, device, 1);  // its first frame is the second of two
  for (int t = 0; t < 5; ++t) {
    std::vector<float> frame;
    for (int i = 0; i < 100; ++i) frame.push_back(std::sin(static_cast<float>(i * (t + 1))));
    const auto values = DeviceArray<float>::from_host(frame, device);
    kept.add(values.span(), 2, job);
    kept.add(std::span<const float>(frame), job);
  }
  const RunningStatistics copy = kept;
  std::vector<float> means(100), errors(100);
  copy.fill(means, errors, job);
  std::vector<double> found(means.begin(), means.end());
  found.push_back(copy.summary(10).rms_mean);
  for (const RunningStatistics::Level& level : copy.levels()) found.push_back(level.squares[50]);
  return found;
}

std::vector<double> groups_of_charges(Device device) {
  Job job;
  std::vector<ChargedSphere> charges;
  std::vector<std::uint32_t> group;
  for (int i = 0; i < 700; ++i) {
    const auto x = static_cast<float>(i);
    charges.push_back({{10 * std::sin(x), 10 * std::cos(3 * x), 0.02f * x}, i % 2 ? 1.0f : -1.0f, 1});
    group.push_back(i < 600 ? 0 : 1);
  }
  const std::vector<glm::dvec3> points{{0, 0, 0}, {1, 2, 3}, {-20, 0, 5}};
  std::vector<GroupShare> shares(6);
  group_potentials(charges, ChargeGroups(group, 2), DirectOptions{}, points, shares, job, device);
  std::vector<double> found;
  for (const GroupShare& share : shares) found.insert(found.end(), {share.potential, share.field.x, share.field.z});
  return found;
}

std::vector<double> field_lines(Device device) {
  Job job;
  const Grid grid = make_grid({-2, -2, -2}, {0.5, 0.5, 0.5}, {9, 9, 9});
  std::vector<float> values;
  for (const glm::dvec3 p : grid_points(grid)) values.push_back(static_cast<float>(-p.x + 0.1 * p.y * p.z));
  const auto there = DeviceArray<float>::from_host(values, device);
  const std::vector<LineSeed> seeds{{{0, 0.5, 0.3}, 1}, {{0.2, -1, 1}, -1}};
  const std::vector<glm::vec4> spheres{{1, 0.5f, 0.3f, 0.5f}};
  LineTracing options;
  options.step = 0.1;
  options.most = 200;
  std::vector<double> found;
  for (const TracedLine& traced : trace_lines(grid, there.span(), seeds, spheres, options, job)) {
    found.push_back(static_cast<double>(traced.line.points.size()));
    found.push_back(static_cast<double>(traced.line.points.back().y));
    found.push_back(static_cast<double>(traced.line.values.back()));
  }
  return found;
}

std::vector<double> ions(Device device) {
  Job job;
  const std::vector<PointCharge> charges = fault_charges(80);
  const Grid grid = make_grid({-12, -12, -12}, {2, 2, 2}, {13, 13, 13});
  std::vector<glm::dvec3> atoms;
  for (const PointCharge& charge : charges) atoms.emplace_back(charge.position);
  IonSites sites;
  sites.lattice = grid;
  sites.points = free_lattice_points(grid, atoms, 3.5, job);
  fill_site_potential(charges, sites, device, job);
  std::vector<double> found;
  for (const PlacedIon& ion : place_ions(charges, sites, std::vector<double>{1, -1, 1, -1}, {}, device, job)) {
    found.push_back(static_cast<double>(ion.site));
    found.push_back(ion.energy);
  }
  return found;
}

std::vector<double> ligand_map(Device device) {
  Job job;
  Random random(9);
  std::vector<ProbedAtom> atoms;
  for (int i = 0; i < 150; ++i) atoms.push_back({random.in_box(-9, 9), 3.2, 0.15, random(-0.4, 0.4)});
  const Probe& probe = built_in_probes().front();
  ProbeOptions options;
  options.charges = true;
  const Grid grid = make_grid({-5, -5, -5}, {1.2, 1.2, 1.2}, {9, 8, 9});
  return floats_on(device, grid.size(), [&](Span<float> values) {
    probe_free_energy(atoms, {}, probe, probe_orientations(probe, 12), grid, options, values, job);
  });
}

}  // namespace

const std::vector<Computation>& cuda_computations() {
  static const std::vector<Computation> all = [] {
    std::vector<Computation> list = potential_computations();
    for (Computation& one : density_computations()) list.push_back(std::move(one));
    const std::vector<Computation> others{{"GaussianDensity", gaussian},
                                          {"SolventExcluded", excluded},
                                          {"SolventAccessible", accessible},
                                          {"MarchingCubes", isosurface},
                                          {"Sasa", sasa},
                                          {"RadialDistribution", distances},
                                          {"RmsdOfFrames", of_frames<AnalysisKind::rmsd>},
                                          {"FluctuationOfFrames", of_frames<AnalysisKind::rmsf>},
                                          {"GyrationOfFrames", of_frames<AnalysisKind::gyration>},
                                          {"DipoleOfFrames", of_frames<AnalysisKind::dipole>},
                                          {"DistanceOfFrames", of_frames<AnalysisKind::distance>},
                                          {"ContactsOfFrames", of_frames<AnalysisKind::contacts>},
                                          {"HydrogenBondsOfFrames", bonds_of_frames},
                                          {"Fft", transform},
                                          {"Dynamics", dynamics},
                                          {"DensityMap", density_maps},
                                          {"MapForces", map_forces},
                                          {"MapSearch", map_search},
                                          {"MapSeries", map_series},
                                          {"RigidSlopes", rigid_slopes},
                                          {"VolumeSamples", samples},
                                          {"RunningStatistics", statistics},
                                          {"GroupPotentials", groups_of_charges},
                                          {"FieldLines", field_lines},
                                          {"Ions", ions},
                                          {"LigandMap", ligand_map}};
    list.insert(list.end(), others.begin(), others.end());
    return list;
  }();
  return all;
}

}  // namespace isolume::test
