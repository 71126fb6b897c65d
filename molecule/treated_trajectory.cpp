// A trajectory with its periodic cell treated as frames are read.
#include "molecule/treated_trajectory.h"

#include <mutex>
#include <utility>

namespace isolume {
namespace {

constexpr std::size_t most_kept_atoms = 200'000;

/// The tree that was made last, for a process that is asked about the same molecule again and again.
struct KeptTree {
  std::mutex mutex;
  bool wanted = false;
  std::weak_ptr<const Trajectory> source;
  std::weak_ptr<const Topology> topology;
  std::shared_ptr<const MoleculeTree> tree;
};

KeptTree& kept_tree() {
  static KeptTree kept;
  return kept;
}

class TreatedTrajectory final : public Trajectory {
 public:
  /// The tree is made once, when the first frame is asked for, and shared with other treatments of the trajectory.
  struct Shared {
    std::shared_ptr<const Trajectory> source;
    std::shared_ptr<const Topology> topology;
    std::once_flag once;
    std::shared_ptr<const MoleculeTree> tree;
  };

  TreatedTrajectory(std::shared_ptr<Shared> shared, CellTreatment::Mode mode, std::vector<std::uint32_t> atoms)
      : shared_(std::move(shared)), mode_(mode), atoms_(std::move(atoms)) {}
  const std::shared_ptr<Shared>& shared() const { return shared_; }
  std::size_t frame_count() const override { return shared_->source->frame_count(); }
  std::size_t atom_count() const override { return shared_->source->atom_count(); }

  Frame frame(std::size_t index) const override {
    Frame frame = shared_->source->frame(index);
    if (mode_ == CellTreatment::Mode::as_is || !frame.cell.exists()) return frame;
    make_tree(index == 0 ? &frame : nullptr);
    if (mode_ == CellTreatment::Mode::centre) std::call_once(once_, [&] { centred_ = shared_->tree->centred(atoms_); });
    shared_->tree->make_whole(frame);
    if (mode_ == CellTreatment::Mode::wrap) shared_->tree->wrap(frame);
    if (mode_ == CellTreatment::Mode::centre) shared_->tree->centre(frame, centred_);
    return frame;
  }

  Frame leading_frame(std::size_t index, std::size_t atoms) const override {
    // Where a molecule is wrapped or centred depends on others.
    if (mode_ != CellTreatment::Mode::whole || atoms >= atom_count()) return frame(index);
    const std::shared_ptr<const Leading> leading = leading_of(atoms);
    Frame frame = shared_->source->leading_frame(index, leading->tree.atoms());
    if (!frame.cell.exists()) return frame;
    if (frame.positions.size() == atom_count()) {
      shared_->tree->make_whole(frame);
    } else {
      leading->tree.make_whole(frame);
    }
    return frame;
  }

 private:
  struct Leading {
    std::size_t atoms;
    MoleculeTree tree;
  };

  void make_tree(const Frame* first) const {
    std::call_once(shared_->once, [&] {
      shared_->tree = last_tree();
      if (shared_->tree) return;
      shared_->tree =
          std::make_shared<const MoleculeTree>(*shared_->topology, first ? *first : shared_->source->frame(0));
      keep_tree();
    });
  }

  /// The one that was made last, where it was of this very trajectory and topology.
  std::shared_ptr<const MoleculeTree> last_tree() const {
    KeptTree& kept = kept_tree();
    const std::lock_guard lock(kept.mutex);
    if (!kept.tree) return nullptr;
    if (kept.source.lock() == shared_->source && kept.topology.lock() == shared_->topology) return kept.tree;
    kept.tree = nullptr;
    return nullptr;
  }

  void keep_tree() const {
    KeptTree& kept = kept_tree();
    const std::lock_guard lock(kept.mutex);
    if (!kept.wanted || shared_->topology->atoms.size() > most_kept_atoms) return;
    kept.source = shared_->source;
    kept.topology = shared_->topology;
    kept.tree = shared_->tree;
  }

  std::shared_ptr<const Leading> leading_of(std::size_t atoms) const {
    make_tree(nullptr);
    const std::lock_guard lock(mutex_);
    if (!leading_ || leading_->atoms != atoms)
      leading_ = std::make_shared<const Leading>(Leading{atoms, shared_->tree->leading(atoms)});
    return leading_;
  }

  std::shared_ptr<Shared> shared_;
  CellTreatment::Mode mode_;
  std::vector<std::uint32_t> atoms_;
  mutable std::once_flag once_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Leading> leading_;  ///< of the number of atoms that was asked for last
  mutable MoleculeTree::Centred centred_;
};

}  // namespace

void keep_last_tree(bool wanted) {
  KeptTree& kept = kept_tree();
  const std::lock_guard lock(kept.mutex);
  kept.wanted = wanted;
  if (!wanted) kept.tree = nullptr;
}

std::shared_ptr<const Trajectory> treated_trajectory(std::shared_ptr<const Trajectory> trajectory,
                                                     std::shared_ptr<const Topology> topology, CellTreatment::Mode mode,
                                                     std::vector<std::uint32_t> atoms) {
  if (!trajectory || !topology || trajectory->atom_count() != topology->atoms.size()) return trajectory;
  std::shared_ptr<TreatedTrajectory::Shared> shared;
  if (const auto treated = std::dynamic_pointer_cast<const TreatedTrajectory>(trajectory)) {
    shared = treated->shared();
  } else {
    if (mode == CellTreatment::Mode::as_is || (mode == CellTreatment::Mode::whole && topology->bonds.empty()))
      return trajectory;
    shared = std::make_shared<TreatedTrajectory::Shared>();
    shared->source = std::move(trajectory);
    shared->topology = std::move(topology);
  }
  if (mode == CellTreatment::Mode::as_is) return shared->source;
  return std::make_shared<TreatedTrajectory>(std::move(shared), mode, std::move(atoms));
}

}  // namespace isolume
