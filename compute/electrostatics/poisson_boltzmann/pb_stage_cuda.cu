// The stages of a Poisson-Boltzmann computation on CUDA: surfaces, coefficients and solutions stay on the device.
#include <algorithm>
#include <future>
#include <memory>
#include <optional>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/poisson_boltzmann/pb_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_lattice_kernels.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_read_kernels.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "compute/molecular_surface/device_surfaces.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr CudaDim cube{32, 4, 2};

CudaDim cubes(const PbNodes& n) {
  const auto parts = [](int count, unsigned block) { return (static_cast<unsigned>(count) + block - 1) / block; };
  return {parts(n.counts[0], cube.x), parts(n.counts[1], cube.y), parts(n.counts[2], cube.z)};
}

/// What the stages of one computation share.
class DeviceStages final : public PbStageMaker {
 public:
  DeviceStages(std::span<const ChargedSphere> atoms_of, const PoissonBoltzmannOptions& options_of,
               std::span<const PbBox> boxes, Device device)
      : atoms(atoms_of),
        options(options_of),
        stream(device),
        screened(pb_screened(atoms, options)),
        formed_by_host(pb_formed_by_host(atoms, options)) {
    glm::dvec3 sum(0);
    std::size_t count = 0;
    for (const ChargedSphere& atom : atoms) {
      if (atom.charge == 0) continue;
      sum += glm::dvec3(atom.position);
      ++count;
    }
    if (count > 0) sum /= static_cast<double>(count);
    for (int axis = 0; axis < 3; ++axis) middle.at[axis] = sum[axis];
    begin_faces(boxes.front().grid());
    std::vector<PbCharge> all, charged;
    all.reserve(atoms.size());
    charged.reserve(atoms.size());
    for (const ChargedSphere& atom : atoms)
      all.push_back({atom.position.x, atom.position.y, atom.position.z, atom.charge});
    for (const ChargedSphere& atom : coulomb_atoms()) {
      const glm::vec3 at(glm::dvec3(atom.position) - sum);
      if (atom.charge != 0) charged.push_back({at.x, at.y, at.z, atom.charge});
    }
    positions = DeviceArray<PbCharge>::from_host(all, stream, "Poisson-Boltzmann: atoms");
    charges = DeviceArray<PbCharge>::from_host(charged, stream, "Poisson-Boltzmann: atoms");
    if (!formed_by_host)
      surfaces.emplace(pb_surface_atoms(atoms), pb_dielectric_surface(options),
                       molecular_surface_reach(boxes.back().grid()) / 2, stream);
  }

  ~DeviceStages() override {
    faces_job.cancel();
    if (faces_ready.valid()) faces_ready.wait();
  }

  std::unique_ptr<PbStage> make(const PbBox& box, Job& job) override;

  /// The sums on the outermost faces need no surface: a thread of their own makes them meanwhile, in another stream.
  void begin_faces(const Grid& grid) {
    faces = DeviceArray<float>(debye_hueckel_face_points(grid), stream.device(), "Poisson-Boltzmann: faces");
    faces_ready = std::async(std::launch::async, [this, grid, record = LaunchRecord::current()] {
      const LaunchRecord::Join timed(record);
      debye_hueckel_faces(pb_face_spheres(atoms, options), grid, pb_face_solvent(options), faces.span(), faces_job);
    });
  }

  unsigned atom_count() const { return static_cast<unsigned>(positions.size()); }
  unsigned charge_count() const { return static_cast<unsigned>(charges.size()); }
  template <class T>
  DeviceArray<T> array(std::size_t size) {
    return {size, stream, "Poisson-Boltzmann: grids"};
  }
  template <class T>
  DeviceArray<T> zeros(std::size_t size) {
    DeviceArray<T> result = array<T>(size);
    cuda_check(cuda_api().set_bytes(result.data(), 0, size * sizeof(T), stream.handle()), "Poisson-Boltzmann: clear");
    return result;
  }

  std::span<const ChargedSphere> atoms;
  const PoissonBoltzmannOptions& options;
  DeviceArray<float> faces;       ///< Debye and Hückel's sums; in use until the stream ends
  std::optional<CoulombSum> sum;  ///< where there are many charges; likewise
  Stream stream;
  Job faces_job;
  std::future<void> faces_ready;
  std::vector<ChargedSphere> screened;     ///< PbMediaMaker::screened(), empty where it is the atoms
  bool formed_by_host;                     ///< coefficients and sources come from pb_form()
  std::optional<PbMediaMaker> media;       ///< where they do
  std::optional<DeviceSurfaces> surfaces;  ///< where they do not
  PbExtent extent{};                       ///< of the atoms, where there is `sum`
  /// The lattices of the charges' Coulomb sum, which hold all edges of a box that the surface cuts.
  CoulombView lattices(const PbBox& box, Job& job) {
    if (!sum) {
      extent = pb_extent(atoms);
      sum.emplace(pb_charges(coulomb_atoms()), extent.lower, extent.upper, stream.device());
    }
    CoulombLattice& made = sum->lattices(extent.lower - box.step, extent.upper + box.step, job);
    return static_cast<CoulombLatticeCuda&>(made).view();
  }
  /// Whose Coulomb potential is that of the solute.
  std::span<const ChargedSphere> coulomb_atoms() const { return screened.empty() ? atoms : screened; }
  PbMiddle middle{};
  DeviceArray<PbCharge> positions;  ///< of all atoms
  DeviceArray<PbCharge> charges;    ///< of coulomb_atoms() with a charge, relative to their middle
};

class DeviceStage final : public PbStage {
 public:
  DeviceStage(DeviceStages& shared, const PbBox& box, Job& job);

  void set_faces(const PbStage* outer, Job& job) override;
  void take_faces(const PbStage& from) override;
  void start_from(const PbStage& stage) override;
  void start_from(const PoissonBoltzmannStart& kept) override;
  void keep(PoissonBoltzmannStart& kept) const override;
  void solve(Job& job) override;
  void reaction(std::span<double> values, std::span<char> known) const override;
  double ion_energy() const override;
  void potential(const Grid& grid, Span<float> values, double unit, Job& job) const override;
  PbDifference difference(const PbStage& coarser) const override;
  std::vector<std::uint8_t> without_nodes() const override { return lost_; }
  bool solute_on_faces() const override { return counts_.on_faces != 0; }

 private:
  void discretise(Job& job);
  PbCounts count_nodes();
  void take_from_host(Job& job);
  void keep_lost_charges();
  void make_compact();
  void add_coulomb(const Grid& grid, const PbSoluteNodes& solute, double unit, Span<float> values, Job& job) const;
  PbField field() const { return {nodes_, u_.data(), problem_.inside.data()}; }
  static const DeviceStage& device(const PbStage& stage) { return static_cast<const DeviceStage&>(stage); }
  /// A kernel over all nodes.
  template <class... Parameters, class... Arguments>
  void over_nodes(const char* name, void (*kernel)(Parameters...), Arguments... arguments) const {
    launch(name, shared_.stream, kernel, cubes(nodes_), cube, nodes_, arguments...);
  }

  DeviceStages& shared_;
  PbNodes nodes_;
  PbDeviceProblem problem_;
  DeviceArray<double> u_;
  /// Of every atom: no node about it is in the solute. None of the charges is so where the count is 0.
  DeviceArray<std::uint8_t> lost_on_device_;
  std::vector<std::uint8_t> lost_;
  DeviceArray<PbCounts> counting_;
  PbCounts counts_{};
  bool guessed_ = false;  ///< u is not 0 inside
  bool compact_ = false;  ///< coefficients are codes
};

DeviceStage::DeviceStage(DeviceStages& shared, const PbBox& box, Job& job)
    : PbStage(box), shared_(shared), nodes_(pb_nodes(box)) {
  problem_.counts = box.counts;
  lost_on_device_ = shared_.array<std::uint8_t>(shared_.atom_count());
  counting_ = shared_.zeros<PbCounts>(1);
  discretise(job);
  keep_lost_charges();
  if (compact_) make_compact();
  u_ = shared_.zeros<double>(nodes_.size());
}

/// What the surface is to the edges, the atoms and the faces, once the sides of the nodes are known.
PbCounts DeviceStage::count_nodes() {
  const unsigned count = shared_.atom_count();
  launch("Poisson-Boltzmann: charges without nodes", shared_.stream, pb_lost_kernel, blocks_for(count), {256, 1, 1},
         nodes_, problem_.inside.data(), shared_.positions.data(), count, lost_on_device_.data(), counting_.data());
  over_nodes("Poisson-Boltzmann: faces", pb_solute_faces_kernel, problem_.inside.data(), counting_.data());
  return counting_.copy_to_host().front();
}

/// What the dielectrics need that only the processor forms.
void DeviceStage::take_from_host(Job& job) {
  if (!shared_.media) shared_.media.emplace(shared_.atoms, shared_.options, job);
  PbProblem problem;
  pb_form(shared_.atoms, *shared_.media, box_, shared_.options, problem, job);
  const char* const what = "Poisson-Boltzmann: grids";
  problem_.cx = DeviceArray<float>::from_host(problem.cx, shared_.stream, what);
  problem_.cy = DeviceArray<float>::from_host(problem.cy, shared_.stream, what);
  problem_.cz = DeviceArray<float>::from_host(problem.cz, shared_.stream, what);
  problem_.kappa = DeviceArray<float>::from_host(problem.kappa, shared_.stream, what);
  problem_.source = DeviceArray<float>::from_host(problem.source, shared_.stream, what);
  problem_.inside = DeviceArray<std::uint8_t>::from_host(problem.inside, shared_.stream, what);
  shared_.stream.synchronize();  // before the host's arrays go
  problem_.nonlinear = problem.nonlinear;
  problem_.ions = problem.ions;
  counts_ = count_nodes();
}

void DeviceStage::discretise(Job& job) {
  if (shared_.formed_by_host) return take_from_host(job);
  const PoissonBoltzmannOptions& o = shared_.options;
  const std::size_t size = nodes_.size();
  PbEdgeRules rules{};
  rules.solute = o.solute_permittivity;
  rules.solvent = o.solvent_permittivity;
  rules.width = o.width;
  rules.smooth = o.boundary == DielectricBoundary::smooth;
  const glm::dvec3 step = box_.step;
  for (int axis = 0; axis < 3; ++axis) {
    rules.weight[axis] = step.x * step.x / (step[axis] * step[axis]);
    rules.step[axis] = step[axis];
  }
  const double kappa = o.inverse_debye_length();
  const double ionic = step.x * step.x * o.solvent_permittivity * kappa * kappa;
  problem_.nonlinear = o.nonlinear && ionic > 0;
  problem_.ions = pb_ions(o);
  // The solver's finest grid is coded: it needs a coarser one.
  const glm::ivec3 n = box_.counts;
  const bool coarser = (n.x & n.y & n.z & 1) != 0 && std::min({n.x, n.y, n.z}) >= 5;
  compact_ = !problem_.nonlinear && size >= o.compact_from && coarser;
  rules.coded = compact_;
  const Grid grid = box_.grid();
  require_memory(
      molecular_surface_memory(shared_.atoms.size(), grid, pb_dielectric_surface(o), shared_.stream.device()),
      shared_.stream.device(), "molecular surface");
  DeviceArray<float> depth = shared_.array<float>(size);
  DeviceArray<float> ion_depth = ionic > 0 ? shared_.array<float>(size) : DeviceArray<float>();
  shared_.surfaces->depths(grid, depth.data(), {pb_ion_surface(o).probe_radius, ion_depth.data()}, nullptr, nullptr,
                           job);
  problem_.kappa = shared_.array<float>(size);
  problem_.inside = shared_.array<std::uint8_t>(size);
  const Stream& stream = shared_.stream;
  const char* const sides = "Poisson-Boltzmann: coefficients";
  launch(sides, stream, pb_sides_kernel, blocks_for(size), {256, 1, 1}, size, depth.data(), ion_depth.data(),
         rules.smooth ? o.width / 2 : 0.0, ionic, (step.x + step.y + step.z) / 3, problem_.inside.data(),
         problem_.kappa.data());
  ion_depth = DeviceArray<float>();
  for (DeviceArray<float>* array : {&problem_.cx, &problem_.cy, &problem_.cz}) *array = shared_.array<float>(size);
  problem_.source = shared_.zeros<float>(size);
  // Room for the cuts of most surfaces, so that one pass does; of large grids they are a smaller part.
  std::size_t room = std::min(size / 8, std::max(size / 32, std::size_t{1} << 22)) + 1024;
  DeviceArray<PbCut> cuts;
  for (;;) {
    cuts = shared_.array<PbCut>(room);
    over_nodes(sides, pb_edges_kernel, rules, depth.data(), problem_.inside.data(), problem_.cx.data(),
               problem_.cy.data(), problem_.cz.data(), counting_.data(), cuts.data(), static_cast<unsigned>(room));
    counts_ = count_nodes();
    if (counts_.cuts <= room) break;
    room = counts_.cuts;
    counting_ = shared_.zeros<PbCounts>(1);
  }
  depth = DeviceArray<float>();
  const unsigned count = counts_.cuts;
  job.check();
  if (count == 0) return;
  DeviceArray<double> value = shared_.array<double>(count), jump = shared_.array<double>(count),
                      through = shared_.array<double>(count);
  const char* const coulomb = "Poisson-Boltzmann: Coulomb's part at the surface";
  const double unit = pb_bjerrum(o) / o.solute_permittivity;
  if (coulomb_sum_by_lattices(shared_.charge_count(), 2 * std::size_t{count})) {
    launch(coulomb, stream, rules.smooth ? pb_lattice_jumps_kernel<true> : pb_lattice_jumps_kernel<false>,
           blocks_for(count, point_block / 32), {point_block, 1, 1}, nodes_, shared_.lattices(box_, job), cuts.data(),
           count, unit, value.data(), jump.data(), through.data());
  } else {
    launch(coulomb, stream, rules.smooth ? pb_jumps_kernel<true> : pb_jumps_kernel<false>,
           blocks_for(count, point_block), {point_block, 1, 1}, nodes_, shared_.middle, cuts.data(), count,
           shared_.charges.data(), shared_.charge_count(), unit, value.data(), jump.data(), through.data());
  }
  // One launch for each of a node's six edges: their sum is always in the same order.
  for (int axis = 0; axis < 3; ++axis)
    for (int upper = 0; upper < 2; ++upper)
      launch(sides, stream, pb_sources_kernel, blocks_for(count), {256, 1, 1}, nodes_, rules, cuts.data(), count,
             value.data(), jump.data(), through.data(), axis, upper, problem_.source.data());
}

void DeviceStage::keep_lost_charges() {
  const unsigned count = shared_.atom_count();
  if (counts_.lost_charges == 0) {
    lost_.assign(count, 0);
    return;
  }
  lost_ = lost_on_device_.copy_to_host();
  const std::size_t size = nodes_.size();
  DeviceArray<unsigned long long> sums = shared_.zeros<unsigned long long>(size);
  launch("Poisson-Boltzmann: charges without nodes", shared_.stream, pb_spread_kernel, blocks_for(count), {256, 1, 1},
         nodes_, shared_.positions.data(), count, lost_on_device_.data(), sums.data());
  const glm::dvec3 step = box_.step;
  launch("Poisson-Boltzmann: charges without nodes", shared_.stream, pb_add_spread_kernel, blocks_for(size),
         {256, 1, 1}, size, sums.data(),
         4 * units::pi * pb_bjerrum(shared_.options) * step.x * step.x / (step.x * step.y * step.z),
         problem_.source.data());
}

/// Codes in place of coefficients, a list in place of sources, which most nodes have none of.
void DeviceStage::make_compact() {
  const char* const what = "Poisson-Boltzmann: coefficients";
  const PoissonBoltzmannOptions& o = shared_.options;
  const Stream& stream = shared_.stream;
  const std::size_t size = nodes_.size();
  auto compact = std::make_unique<PbCompact>();
  DeviceArray<float>* const edges[3] = {&problem_.cx, &problem_.cy, &problem_.cz};
  DeviceArray<std::uint16_t>* const codes[3] = {&compact->cx, &compact->cy, &compact->cz};
  for (int axis = 0; axis < 3; ++axis) {
    const double weight = box_.step.x * box_.step.x / (box_.step[axis] * box_.step[axis]);
    *codes[axis] = shared_.array<std::uint16_t>(size);
    launch(what, stream, pb_code_edges_kernel, blocks_for(size), {256, 1, 1}, size, o.solute_permittivity,
           o.solvent_permittivity, weight, edges[axis]->data(), codes[axis]->data());
    *edges[axis] = DeviceArray<float>();
    compact->base[axis] = static_cast<float>(1 / (o.solvent_permittivity * weight));
    compact->slope[axis] = static_cast<float>((1 / o.solute_permittivity - 1 / o.solvent_permittivity) /
                                              (static_cast<double>(PbCompact::most) * weight));
  }
  const double kappa = o.inverse_debye_length();
  const double whole = box_.step.x * box_.step.x * o.solvent_permittivity * kappa * kappa;
  compact->kappa = shared_.array<std::uint16_t>(size);
  launch(what, stream, pb_code_ions_kernel, blocks_for(size), {256, 1, 1}, size, whole, problem_.kappa.data(),
         compact->kappa.data());
  problem_.kappa = DeviceArray<float>();
  compact->ions = static_cast<float>(whole / static_cast<double>(PbCompact::most));
  // Two nodes a cut, and eight a charge without nodes.
  const std::size_t room = std::size_t{2} * counts_.cuts + std::size_t{8} * counts_.lost_charges;
  compact->nodes = shared_.array<std::uint32_t>(room);
  compact->sources = shared_.array<float>(room);
  DeviceArray<unsigned> found = shared_.zeros<unsigned>(1);
  over_nodes(what, pb_list_sources_kernel, problem_.source.data(), static_cast<unsigned>(room), found.data(),
             compact->nodes.data(), compact->sources.data());
  compact->count = found.copy_to_host().front();
  problem_.source = DeviceArray<float>();
  problem_.compact = std::move(compact);
}

void DeviceStage::set_faces(const PbStage* outer, Job& job) {
  const PoissonBoltzmannOptions& o = shared_.options;
  if (outer != nullptr) {
    over_nodes("Poisson-Boltzmann: faces", pb_outer_faces_kernel, problem_.inside.data(), device(*outer).field(),
               shared_.middle, shared_.charges.data(), shared_.charge_count(), pb_bjerrum(o) / o.solute_permittivity,
               u_.data());
    return;
  }
  DeviceArray<float>& faces = shared_.faces;
  shared_.faces_ready.get();
  const float* at = faces.data();
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t pair = 2 * nodes_.size() / static_cast<std::size_t>(nodes_.counts[axis]);
    launch("Poisson-Boltzmann: faces", shared_.stream, pb_sum_faces_kernel, blocks_for(pair), {256, 1, 1}, nodes_, axis,
           at, units::thermal_voltage(o.temperature), u_.data());
    at += pair;
  }
}

void DeviceStage::take_faces(const PbStage& from) {
  over_nodes("Poisson-Boltzmann: faces", pb_finer_faces_kernel, problem_.inside.data(), device(from).field(),
             u_.data());
}

void DeviceStage::start_from(const PbStage& stage) {
  guessed_ = true;
  over_nodes("Poisson-Boltzmann: first guess", pb_start_kernel, problem_.inside.data(), device(stage).field(),
             u_.data());
}

void DeviceStage::start_from(const PoissonBoltzmannStart& kept) {
  if (kept.counts != box_.counts || kept.origin != box_.origin || kept.step != box_.step) return;
  if (kept.device_solution.size() != u_.size() || kept.device_solution.device() != shared_.stream.device()) return;
  guessed_ = true;
  over_nodes("Poisson-Boltzmann: first guess", pb_kept_kernel, problem_.inside.data(),
             PbField{nodes_, kept.device_solution.data(), kept.device_inside.data()}, u_.data());
}

void DeviceStage::keep(PoissonBoltzmannStart& kept) const {
  const Device device = shared_.stream.device();
  kept.origin = box_.origin;
  kept.step = box_.step;
  kept.counts = box_.counts;
  if (kept.device_solution.size() != u_.size() || kept.device_solution.device() != device) {
    kept.device_solution = DeviceArray<double>(u_.size(), device, "Poisson-Boltzmann: the last solution");
    kept.device_inside = DeviceArray<unsigned char>(u_.size(), device, "Poisson-Boltzmann: the last solution");
  }
  // The stream is waited for before the computation ends.
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    cuda_check(cuda_api().copy(to, from, bytes, CudaApi::device_to_device, shared_.stream.handle()),
               "Poisson-Boltzmann: the last solution");
  };
  copy(kept.device_solution.data(), u_.data(), u_.size() * sizeof(double));
  copy(kept.device_inside.data(), problem_.inside.data(), u_.size());
}

void DeviceStage::solve(Job& job) {
  progress = pb_solve_on_device(problem_, shared_.options, u_, guessed_, shared_.stream, job);
  // Of a linear equation no one asks for more than the solution.
  if (problem_.nonlinear) return;
  for (DeviceArray<float>* array : {&problem_.cx, &problem_.cy, &problem_.cz, &problem_.kappa, &problem_.source})
    *array = DeviceArray<float>();
  problem_.compact.reset();
}

void DeviceStage::reaction(std::span<double> values, std::span<char> known) const {
  const unsigned count = shared_.atom_count();
  DeviceArray<double> found = shared_.array<double>(count);
  launch("Poisson-Boltzmann: reaction potentials", shared_.stream, pb_reaction_kernel, blocks_for(count, 4),
         {128, 1, 1}, field(), shared_.positions.data(), count,
         shared_.options.boundary == DielectricBoundary::gaussian, found.data());
  const std::vector<double> host = found.copy_to_host();
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (!box_.contains(glm::dvec3(shared_.atoms[i].position))) continue;
    known[i] = 1;
    values[i] = host[i];
  }
}

double DeviceStage::ion_energy() const {
  if (!problem_.nonlinear) return 0;
  DeviceArray<double> parts = shared_.array<double>(reduce_blocks);
  launch("Poisson-Boltzmann: energy of the ions", shared_.stream, pb_ion_energy_kernel, {reduce_blocks, 1, 1},
         {reduce_threads, 1, 1}, nodes_, problem_.ions, problem_.kappa.data(), u_.data(), parts.data());
  double sum = 0;
  for (const double part : parts.copy_to_host()) sum += part;
  const double volume = box_.step.y * box_.step.z / box_.step.x;
  return sum * volume / (4 * units::pi * pb_bjerrum(shared_.options));
}

PbDifference DeviceStage::difference(const PbStage& coarser) const {
  DeviceArray<double> parts = shared_.array<double>(4 * reduce_blocks);
  launch("Poisson-Boltzmann: error", shared_.stream, pb_difference_kernel, {reduce_blocks, 1, 1},
         {reduce_threads, 1, 1}, field(), device(coarser).field(), parts.data());
  const std::vector<double> host = parts.copy_to_host();
  PbDifference sums;
  for (std::size_t block = 0; block < reduce_blocks; ++block) {
    sums.square += host[4 * block];
    sums.values += host[4 * block + 1];
    sums.most = std::max(sums.most, host[4 * block + 2]);
    sums.count += static_cast<std::size_t>(host[4 * block + 3]);
  }
  return sums;
}

void DeviceStage::potential(const Grid& grid, Span<float> values, double unit, Job& job) const {
  const PbNodes nodes = pb_nodes({grid.origin, box_.step, grid.counts, glm::ivec3(0)});
  const int3 first = make_int3(box_.first.x, box_.first.y, box_.first.z);
  DeviceArray<PbSoluteNodes> found = shared_.zeros<PbSoluteNodes>(1);
  const PbExtent extent = pb_extent(shared_.atoms);
  PbReach reach{};
  for (int axis = 0; axis < 3; ++axis) {
    reach.lower[axis] = extent.lower[axis];
    reach.upper[axis] = extent.upper[axis];
  }
  launch("Poisson-Boltzmann: potential", shared_.stream, pb_potential_kernel, cubes(nodes), cube, field(), nodes, first,
         reach, unit, values.data, found.data());
  const PbSoluteNodes solute = found.copy_to_host().front();
  job.check();
  if (solute.count > 0)
    add_coulomb(grid, solute, unit / units::thermal_voltage(shared_.options.temperature), values, job);
  shared_.stream.synchronize();
}

/// Coulomb's potential at the grid's nodes in the solute, from volts in units of which `unit` make a volt.
void DeviceStage::add_coulomb(const Grid& grid, const PbSoluteNodes& solute, double unit, Span<float> values,
                              Job& job) const {
  const char* const what = "Poisson-Boltzmann: Coulomb's part in the solute";
  Stream& stream = shared_.stream;
  const PbNodes nodes = pb_nodes({grid.origin, box_.step, grid.counts, glm::ivec3(0)});
  const int3 first = make_int3(box_.first.x, box_.first.y, box_.first.z);
  const double scale = unit / shared_.options.solute_permittivity;  // of volts
  const double of_sums = scale * units::coulomb_volt_angstrom;
  const auto count = static_cast<std::size_t>(solute.count);
  PbSoluteSum sum = pb_solute_sum(shared_.charge_count(), count);
  // The lattices hold a box about the atoms.
  if (sum == PbSoluteSum::lattices && solute.far > 0) sum = PbSoluteSum::map;
  if (sum == PbSoluteSum::lattices) {
    const std::size_t rows = static_cast<std::size_t>(grid.counts.y) * static_cast<std::size_t>(grid.counts.z);
    const std::size_t runs = (static_cast<std::size_t>(grid.counts.x) + lattice_nodes - 1) / lattice_nodes;
    launch(what, stream, pb_lattice_coulomb_kernel, blocks_for(rows * runs, point_block / 32), {point_block, 1, 1},
           field(), nodes, first, shared_.lattices(box_, job), of_sums, values.data);
  } else if (sum == PbSoluteSum::map) {
    DeviceArray<float> coulomb = shared_.array<float>(grid.size());
    stream.synchronize();
    fast_direct_potential(pb_charges(shared_.coulomb_atoms()), grid, {1e-5}, coulomb.span(), job);
    launch(what, stream, pb_add_coulomb_kernel, cubes(nodes), cube, field(), nodes, first, coulomb.data(), scale,
           values.data);
  } else {
    DeviceArray<unsigned long long> counter = shared_.zeros<unsigned long long>(1);
    DeviceArray<std::uint32_t> list = shared_.array<std::uint32_t>(count);
    launch(what, stream, pb_list_kernel, cubes(nodes), cube, field(), nodes, first, counter.data(), list.data());
    launch(what, stream, pb_coulomb_kernel, blocks_for(count, 2 * point_block), {point_block, 1, 1}, nodes,
           shared_.middle, list.data(), solute.count, shared_.charges.data(), shared_.charge_count(), of_sums,
           values.data);
  }
}

std::unique_ptr<PbStage> DeviceStages::make(const PbBox& box, Job& job) {
  return std::make_unique<DeviceStage>(*this, box, job);
}

}  // namespace

std::unique_ptr<PbStageMaker> pb_stages_cuda(std::span<const ChargedSphere> atoms,
                                             const PoissonBoltzmannOptions& options, std::span<const PbBox> boxes,
                                             Device device) {
  return std::make_unique<DeviceStages>(atoms, options, boxes, device);
}

}  // namespace isolume
