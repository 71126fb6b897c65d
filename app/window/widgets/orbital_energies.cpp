// Energies of followed orbitals over the frames.
#include "app/window/widgets/orbital_energies.h"

#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "app/documents/frames.h"
#include "app/fields/inputs/orbital_identity.h"
#include "app/models/labels.h"
#include "app/window/widgets/async.h"
#include "molecule/base/units.h"
#include "molecule/quantum/orbital_energies.h"

namespace isolume {
namespace {

constexpr double valence_ev = 15;         ///< seen at first beyond HOMO and LUMO: core levels would press all together
constexpr std::ptrdiff_t neighbours = 7;  ///< curves on either side of the gap, of each spin

/// Orbitals of a spin around the gap, from low to high energy; none where they have no energies.
std::vector<std::size_t> around_gap(const Orbitals& orbitals, Spin spin) {
  FrontierOrder known(orbitals, spin);
  if (!known.energies) return {};
  std::vector<std::size_t> order = std::move(known.order);
  std::sort(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return orbitals.orbitals[a].energy < orbitals.orbitals[b].energy;
  });
  std::ptrdiff_t occupied = 0;
  for (const std::size_t i : order) occupied += orbitals.orbitals[i].occupation > 0.5 ? 1 : 0;
  const auto size = static_cast<std::ptrdiff_t>(order.size());
  const auto first = std::clamp<std::ptrdiff_t>(occupied - neighbours, 0, size);
  const auto last = std::clamp<std::ptrdiff_t>(occupied + neighbours, 0, size);
  return {order.begin() + first, order.begin() + last};
}

}  // namespace

OrbitalEnergies::OrbitalEnergies(QWidget* parent)
    : QWidget(parent), plot_(new Plot(tr("Orbital energies over frames"), this)) {
  setAccessibleName(tr("Energies"));
  plot_->setToolTip(
      tr("Click a curve to follow its orbital, click elsewhere to go to a frame; scroll to zoom, double-click to show "
         "all. Rings mark weak matches."));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);
  connect(plot_, &Plot::curve_clicked, this, [this](int curve, double x) {
    const auto& track = curves_.at(static_cast<std::size_t>(curve));
    const auto frame = static_cast<std::size_t>(x + 0.5);
    if (frame < track.size() && track[frame]) Q_EMIT orbital_clicked(frame, track[frame]->index);
  });
  connect(plot_, &Plot::x_clicked, this, [this](double x) { Q_EMIT frame_clicked(static_cast<std::size_t>(x + 0.5)); });
  fill();
}

OrbitalEnergies::~OrbitalEnergies() {
  if (job_) job_->cancel();
}

void OrbitalEnergies::set_molecule(std::shared_ptr<const Molecule> molecule) {
  if (molecule == molecule_) return;
  if (job_) job_->cancel();
  job_.reset();
  molecule_ = std::move(molecule);
  tracks_ = known_orbital_tracks(molecule_);
  fill();
  if (isVisible()) match();
}

void OrbitalEnergies::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  match();
}

void OrbitalEnergies::match() {
  if (!molecule_ || tracks_ || job_ || molecule_->orbitals.size() < 2) return;
  job_ = std::make_shared<Job>();
  fill();
  run_async(
      this, [job = job_, molecule = molecule_] { return std::pair(molecule, orbital_tracks(molecule, *job)); },
      [this](std::pair<std::shared_ptr<const Molecule>, std::shared_ptr<const OrbitalTracks>> result) {
        if (result.first != molecule_) return;
        job_.reset();
        tracks_ = std::move(result.second);
        fill();
        Q_EMIT matched();
      },
      [this, job = job_](const QString& message) {
        if (job != job_) return;  // of another molecule
        job_.reset();
        plot_->set_labels({tr("Frame"), tr("Energy (eV)"), message, true});
      });
}

void OrbitalEnergies::fill() {
  curves_.clear();
  std::vector<PlotCurve> curves;
  const bool several = molecule_ && molecule_->orbitals.size() > 1;
  if (several && tracks_) {
    const std::size_t base = first_frame_with_orbitals(*molecule_);
    const Orbitals& first = *molecule_->orbitals[base];
    std::array<std::map<std::size_t, bool>, 2> found;  // by spin: each frame is looked at once
    const auto have_energies = [&](std::size_t frame, Spin spin) {
      const auto [at, is_new] = found[spin == Spin::alpha ? 0 : 1].try_emplace(frame, false);
      if (is_new) at->second = FrontierOrder(*molecule_->orbitals[frame], spin).energies;
      return at->second;
    };
    for (const Spin spin : {Spin::alpha, Spin::beta}) {
      for (const std::size_t orbital : around_gap(first, spin)) {
        Track track = tracks_->track(base, orbital);
        PlotCurve curve;
        curve.name = tr("%1 of frame %2%3")
                         .arg(to_qt(first.role(orbital)))
                         .arg(base)
                         .arg(first.unrestricted ? (spin == Spin::alpha ? tr(", alpha") : tr(", beta")) : QString());
        curve.points = true;
        for (std::size_t frame = 0; frame < track.size(); ++frame) {
          const bool known = track[frame] && have_energies(frame, spin);
          curve.x.push_back(static_cast<double>(frame));
          curve.y.push_back(known ? molecule_->orbitals[frame]->orbitals[track[frame]->index].energy *
                                        units::hartree_in_ev
                                  : std::numeric_limits<double>::quiet_NaN());
          curve.marked.push_back(track[frame] && track[frame]->weak);
        }
        curve.colour = plot_colour(static_cast<int>(curves.size()));
        curves.push_back(std::move(curve));
        curves_.push_back(std::move(track));
      }
    }
  }
  plot_->set_labels({tr("Frame"), tr("Energy (eV)"),
                     !several  ? tr("Open a series of frames with orbitals to plot their energies.")
                     : tracks_ ? tr("Natural orbitals have no energies.")
                               : tr("Matching the orbitals of all frames ..."),
                     true});
  plot_->set_curves(std::move(curves));
  show_valence();
  mark();
}

void OrbitalEnergies::show_valence() {
  if (curves_.empty()) return;
  const std::size_t base = first_frame_with_orbitals(*molecule_);
  const Orbitals& first = *molecule_->orbitals[base];
  const auto homo = first.homo(), lumo = first.lumo();
  if (!homo && !lumo) return;
  const double below = first.orbitals[homo ? *homo : *lumo].energy * units::hartree_in_ev - valence_ev;
  const double above = first.orbitals[lumo ? *lumo : *homo].energy * units::hartree_in_ev + valence_ev;
  double lower = above, upper = below;
  for (const PlotCurve& curve : plot_->curves()) {
    for (const double y : curve.y) {
      if (!(y >= below && y <= above)) continue;
      lower = std::min(lower, y);
      upper = std::max(upper, y);
    }
  }
  if (!(upper > lower)) return;
  const PlotAxis axis = roomy(lower, upper);
  plot_->show_y(axis.lower, axis.upper);
}

void OrbitalEnergies::show_frame(std::size_t frame, const std::vector<std::size_t>& shown) {
  if (frame == frame_ && shown == shown_) return;
  frame_ = frame;
  shown_ = shown;
  mark();
}

void OrbitalEnergies::mark() {
  plot_->set_cursor(curves_.empty() ? std::nullopt : std::optional<double>(static_cast<double>(frame_)));
  std::vector<bool> chosen;
  bool changed = false;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const bool is = frame_ < curves_[i].size() && curves_[i][frame_] &&
                    std::find(shown_.begin(), shown_.end(), curves_[i][frame_]->index) != shown_.end();
    changed = changed || is != plot_->curves()[i].chosen;
    chosen.push_back(is);
  }
  if (changed) plot_->set_chosen(chosen);
}

}  // namespace isolume
