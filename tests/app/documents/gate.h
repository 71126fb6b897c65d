// A trajectory that keeps its reader waiting until the test lets it through.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "molecule/molecule.h"

namespace isolume::test {

/// Opens once; until then frame() waits. entered() waits until somebody does.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    waiting_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_; });
  }
  void entered() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false, waiting_ = false;
};

class GatedTrajectory final : public Trajectory {
 public:
  GatedTrajectory(Frame frame, std::shared_ptr<Gate> gate) : frame_(std::move(frame)), gate_(std::move(gate)) {}
  std::size_t frame_count() const override { return 1; }
  std::size_t atom_count() const override { return frame_.positions.size(); }
  Frame frame(std::size_t) const override {
    if (gate_) gate_->pass();
    return frame_;
  }

 private:
  Frame frame_;
  std::shared_ptr<Gate> gate_;
};

/// Atoms of one residue at positions (angstrom), with charges and a radius of 1.5.
inline std::shared_ptr<Molecule> molecule_of(const std::vector<glm::vec3>& positions,
                                             const std::vector<float>& charges = {},
                                             std::shared_ptr<Gate> gate = nullptr) {
  TopologyBuilder builder;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Atom atom;
    atom.name = "C" + std::to_string(i + 1);
    atom.element = 6;
    atom.radius = 1.5f;
    atom.charge = charges.empty() ? 0.0f : charges[i];
    builder.add(atom, "MOL", 1, ' ', "A");
  }
  builder.topology().has_charges = !charges.empty();
  auto molecule = std::make_shared<Molecule>();
  molecule->paths = {"made.pdb"};
  molecule->topology = std::make_shared<Topology>(builder.finish());
  Frame frame;
  frame.positions = positions;
  molecule->trajectory = std::make_shared<GatedTrajectory>(frame, std::move(gate));
  return molecule;
}

}  // namespace isolume::test
