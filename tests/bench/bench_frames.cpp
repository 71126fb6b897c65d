// Times analyses of every frame of a long trajectory, and what reading and computing take of it.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <random>

#include "compute/analysis/analysis.h"
#include "molecule/molecule.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

/// Many frames of few that are kept: reading one is a copy, as fast as any file could be read.
class RepeatedFrames final : public Trajectory {
 public:
  RepeatedFrames(std::vector<Frame> frames, std::size_t count) : frames_(std::move(frames)), count_(count) {}
  std::size_t frame_count() const override { return count_; }
  std::size_t atom_count() const override { return frames_.front().positions.size(); }
  Frame frame(std::size_t index) const override { return frames_[index % frames_.size()]; }

 private:
  std::vector<Frame> frames_;
  std::size_t count_;
};

/// Residues of ten atoms along a coil of protein's density, whose frames shake.
std::shared_ptr<const Molecule> made_protein(std::size_t atoms, std::size_t frames) {
  std::mt19937 engine(5);
  const auto random = [&] { return static_cast<double>(engine()) * 0x1p-32 - 0.5; };
  TopologyBuilder builder;
  const double side = std::cbrt(static_cast<double>(atoms) / 10 / 0.01);  // 0.1 atoms in a cubic angstrom
  const auto turns = static_cast<std::size_t>(side / 4.64);
  std::vector<glm::dvec3> places;
  for (std::size_t i = 0; i < atoms; ++i) {
    Atom atom;
    atom.name = i % 10 == 1 ? "CA" : "C";
    atom.element = 6;
    atom.charge = static_cast<float>(random());
    builder.add(atom, "ALA", static_cast<int>(i / 10 + 1), ' ', "A");
    // Residues go to and fro through a cube of cells, each next to the one before.
    const std::size_t residue = i / 10, z = residue / (turns * turns);
    std::size_t y = residue / turns % turns, x = residue % turns;
    if (z % 2 == 1) y = turns - 1 - y;
    if ((residue / turns) % 2 == 1) x = turns - 1 - x;
    places.push_back(glm::dvec3(x, y, z) * 4.64 + glm::dvec3(random(), random(), random()) * 4.0);
  }
  builder.topology().has_charges = true;
  std::vector<Frame> kept(16);
  for (Frame& frame : kept)
    for (const glm::dvec3& p : places) frame.positions.emplace_back(p + glm::dvec3(random(), random(), random()));
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<const RepeatedFrames>(std::move(kept), frames);
  return molecule;
}

/// Water of its density in an order of space, whose molecules shake and turn.
std::shared_ptr<const Molecule> made_water(std::size_t atoms, std::size_t frames) {
  std::mt19937 engine(6);
  const auto random = [&] { return static_cast<double>(engine()) * 0x1p-32 - 0.5; };
  TopologyBuilder builder;
  const std::size_t waters = atoms / 3, row = static_cast<std::size_t>(std::cbrt(static_cast<double>(waters))) + 1;
  for (std::uint32_t i = 0; i < waters; ++i) {
    for (const std::uint8_t element : {std::uint8_t{8}, std::uint8_t{1}, std::uint8_t{1}}) {
      Atom atom;
      atom.name = element == 8 ? "O" : "H";
      atom.element = element;
      builder.add(atom, "HOH", static_cast<int>(i % 9999 + 1), ' ', "W");
    }
    for (const std::uint32_t h : {1U, 2U}) builder.topology().bonds.push_back({3 * i, 3 * i + h, 1});
  }
  std::vector<Frame> kept(16);
  for (Frame& frame : kept)
    for (std::size_t i = 0; i < waters; ++i) {
      const glm::dvec3 o =
          3.1 * glm::dvec3(i % row, i / row % row, i / row / row) + glm::dvec3(random(), random(), random());
      const auto way = [&] { return glm::normalize(glm::dvec3(random(), random(), random()) + 1e-6); };
      const glm::dvec3 a = way(), b = glm::normalize(glm::cross(a, way()));
      frame.positions.emplace_back(o);
      frame.positions.emplace_back(o + 0.96 * a);
      frame.positions.emplace_back(o + 0.96 * (-0.25 * a + 0.97 * b));
    }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<const RepeatedFrames>(std::move(kept), frames);
  return molecule;
}

int run(bench::Words& words) {
  const Device device = words.device();
  const auto atoms = static_cast<std::size_t>(words.integer("--atoms", 100'000));
  const auto frames = static_cast<std::size_t>(words.integer("--frames", 2'000));
  const auto of_cpu = static_cast<std::size_t>(words.integer("--frames-cpu", 100));
  const std::string only = words.text("--only", "");
  const std::shared_ptr<const Molecule> molecule = made_protein(atoms, frames);
  fmt::print("{} atoms, milliseconds a frame\n{:<10} {:<8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}\n", atoms, "analysis",
             "device", "frames", "total", "reading", "copying", "computing", "waiting");
  for (const AnalysisKind kind : {AnalysisKind::rmsd, AnalysisKind::gyration, AnalysisKind::rmsf, AnalysisKind::dipole,
                                  AnalysisKind::distance, AnalysisKind::contacts, AnalysisKind::hydrogen_bonds}) {
    if (!only.empty() && only != name(kind)) continue;
    const bool bonds = kind == AnalysisKind::hydrogen_bonds;
    double checked[2] = {};
    for (const Device on : {Device::cpu(), device}) {
      AnalysisRequest request;
      request.kind = kind;
      request.molecule = bonds ? made_water(atoms, frames) : molecule;
      request.device = on;
      request.selection = "all";
      if (kind == AnalysisKind::distance) {  // every pair is looked at on the CPU
        request.selection = fmt::format("resid 1 to {}", atoms / 50);
        request.other = fmt::format("resid {} to {}", atoms / 25, atoms / 25 + atoms / 50);
      }
      const bool slow = kind == AnalysisKind::distance || kind == AnalysisKind::contacts || bonds;
      FrameTimes times;
      // First of few frames, which warms up and whose values are compared.
      for (const std::size_t count : {std::size_t{8}, on.is_cuda() ? frames : slow ? of_cpu / 10 + 2 : of_cpu}) {
        request.frames.clear();
        for (std::size_t f = 0; f < count; ++f) request.frames.push_back(f);
        times = {};
        request.times = &times;
        Job job;
        const auto begin = std::chrono::steady_clock::now();
        const AnalysisTable table = analyse(request, job);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (count == 8) {
          const std::size_t column = kind == AnalysisKind::rmsf ? 0 : 1;
          for (const double value : table.columns[column].values) checked[on.is_cuda() ? 1 : 0] += value;
          continue;
        }
        const double each = 1e3 / static_cast<double>(count);
        fmt::print("{:<10} {:<8} {:>7} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}\n", name(kind), to_string(on),
                   count, seconds * each, times.reading * each, times.copying * each, times.computing * each,
                   times.waiting * each);
      }
      if (!device.is_cuda()) break;
    }
    if (device.is_cuda()) fmt::print("{:<10} sums of 8 frames {:.9g} and {:.9g}\n", name(kind), checked[0], checked[1]);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_frames [--device D] [--atoms N] [--frames N] [--frames-cpu N] "
      "[--only rmsd|gyration|rmsf|dipole|distance|contacts|hbonds]",
      count, words, isolume::run);
}
