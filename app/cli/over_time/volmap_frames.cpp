// What a volume map is made of: its options, its atoms and grid, and the map of each frame.
#include "app/cli/over_time/volmap_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/command.h"
#include "compute/base/device.h"
#include "compute/over_time/atoms_in_grid.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/far_positions.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint32_t> selected(const std::string& selection, const Topology& topology, const Frame& frame) {
  std::vector<std::uint32_t> atoms = Selection(selection).atoms(topology, frame);
  if (atoms.empty()) throw Error(empty_selection(selection, topology), Error::Kind::usage);
  return atoms;
}

Grid grid_of_file(const std::string& path) {
  const Molecule molecule = read_file(path);
  if (molecule.volumes.empty()) throw Error::in_file(path, 0, "holds no volume whose grid could be used");
  return molecule.volumes.front()->grid;
}

}  // namespace

void add_volmap_choice(Verb command, VolmapChoice& choice) {
  command
      .option("--kind", choice.kind,
              "density (atoms per volume), mass, charge, occupancy (within a radius of an atom), residence (how long a "
              "residue stays), distance (to the nearest atom), value (of --values), solute-energy or water-energy (of "
              "the selected molecules of water with the solute, or half of that with other water, per volume)")
      .one_of({"density", "mass", "charge", "occupancy", "residence", "distance", "value", "solute-energy",
               "water-energy"});
  command
      .option(
          "--values", choice.values,
          "of --kind value: b-factor, occupancy, formal-charge, a table as of --colour file:TABLE.csv, or an array of "
          "one number an atom, or a row of them a frame (npy)")
      .type_name("WORD|FILE");
  command.option("--select", choice.selection, "the atoms that are mapped, of the reference frame (all)");
  command
      .option("--spread", choice.spread,
              "density, mass, charge, value: each atom as a gaussian as wide as its radius, or counted in its voxel")
      .one_of({"gaussian", "voxel"});
  command.option("--radius", choice.radius, "angstrom, of all atoms (default: each atom's van der Waals radius)")
      .range(0.01, 100.0);
  command.option("--reach", choice.reach, "distance: the largest that is looked for, angstrom (6)").range(0.1, 100.0);
  command
      .option("--unit", choice.unit,
              "density: 1/A^3 or bulk (over the mean density in the cell); mass: Da/A^3 or g/cm^3")
      .one_of({"1/A^3", "bulk", "Da/A^3", "g/cm^3"});
  command.option("--spacing", choice.spacing, "angstrom between grid points (1)").range(0.01, 100.0).type_name("A");
  command.option("--padding", choice.padding, "angstrom of the grid around the aligned atoms, else the selected (5)")
      .range(0.0, 1e4)
      .type_name("A");
  command.option("--grid,--like", choice.like, "the grid of this volume file, in the reference frame")
      .type_name("FILE");
  command.option("--around", choice.around, "residues: the mean over their local frames, the origin at each of them");
  command
      .option("--axes", choice.axes,
              "of --around: names of the atoms at the origin, along x and in the xy plane (CA,C,N)")
      .delimiter(',');
  command.option("--half-width", choice.half_width, "of --around: half the edge of the grid, angstrom (8)")
      .range(0.1, 1000.0);
}

void check_volmap_choice(const VolmapChoice& o) {
  const auto refuse = [](bool wrong, const std::string& text) {
    if (wrong) throw Error(text, Error::Kind::usage);
  };
  Selection{o.selection};  // reports errors in it before any file is read
  if (!o.around.empty()) Selection{o.around};
  const bool spreads = o.kind == "density" || o.kind == "mass" || o.kind == "charge" || o.kind == "value";
  refuse((o.kind == "value") == o.values.empty(), o.values.empty()
                                                      ? "--kind value needs --values: which number of each atom?"
                                                      : "--values belongs to --kind value");
  refuse(!spreads && o.spread != "gaussian",
         "--spread belongs to --kind density, mass, charge and value, not to " + o.kind);
  refuse(!o.axes.empty() && o.axes.size() != 3, "--axes takes three names of atoms, such as CA,C,N");
  refuse(!o.axes.empty() && o.around.empty(), "--axes belongs to --around");
  refuse(!o.around.empty() && (!o.like.empty() || o.padding >= 0),
         "--around has a grid of its own (--half-width, --spacing): neither --like nor --padding belongs to it");
  refuse(!o.around.empty() && !spreads, "--around belongs to --kind density, mass, charge and value, not to " + o.kind);
  refuse(!o.like.empty() && (o.spacing > 0 || o.padding >= 0),
         "--like is a grid: --spacing and --padding make another");
  const bool density = o.unit == "1/A^3" || o.unit == "bulk", mass = o.unit == "Da/A^3" || o.unit == "g/cm^3";
  refuse((density && o.kind != "density") || (mass && o.kind != "mass"),
         fmt::format("--unit {} does not belong to --kind {}", o.unit, o.kind));
}

VolmapFrames::VolmapFrames(std::shared_ptr<const Molecule> molecule, const VolmapChoice& choice,
                           const std::string& align, std::size_t reference)
    : molecule_(std::move(molecule)), choice_(choice), alignment_(*molecule_, align, reference) {
  const Frame frame = whole_frame(*molecule_, reference);
  const Topology& topology = *molecule_->topology;
  atoms_ = selected(choice.selection, topology, frame);
  const bool energies = choice.kind == "solute-energy" || choice.kind == "water-energy";
  spread_ = choice.kind == "occupancy" || choice.kind == "residence" ? VolumeSpread::inside
            : choice.kind == "distance"                              ? VolumeSpread::distance
            : choice.spread == "voxel" || energies                   ? VolumeSpread::voxel
                                                                     : VolumeSpread::gaussian;
  if (!choice.around.empty()) residues_ = frame_atoms(topology, selected(choice.around, topology, frame), choice.axes);
  choose_weights();
  if (energies) choose_waters(frame);
  choose_grid(choice, frame);
  if (choice.unit == "bulk" && !frame.cell.exists())
    throw Error("--unit bulk: the file has no cell, so there is no mean density", Error::Kind::usage);
}

void VolmapFrames::choose_weights() {
  const Topology& topology = *molecule_->topology;
  const std::string& kind = choice_.kind;
  if (kind == "charge" && !topology.has_charges)
    throw Error("--kind charge: the files have no charges", Error::Kind::usage);
  if (kind == "value") values_.emplace(choice_.values, *molecule_);
  unit_ = kind == "density"                                   ? (choice_.unit.empty() ? "1/A^3" : choice_.unit)
          : kind == "mass"                                    ? (choice_.unit.empty() ? "Da/A^3" : choice_.unit)
          : kind == "charge"                                  ? "e/A^3"
          : kind == "value"                                   ? values_->unit() + "/A^3"
          : kind == "occupancy"                               ? "fraction"
          : kind == "solute-energy" || kind == "water-energy" ? "kcal/mol/A^3"
                                                              : "A";
  factor_ = unit_ == "g/cm^3" ? units::dalton_per_a3_in_g_per_cm3 : 1;
  for (const std::uint32_t index : atoms_) {
    const Atom& atom = topology.atoms[index];
    WeightedAtom shape;
    shape.radius = choice_.radius > 0 ? choice_.radius : static_cast<double>(atom.radius);
    shape.weight = kind == "mass"     ? static_cast<double>(atom.mass)
                   : kind == "charge" ? static_cast<double>(atom.charge)
                   : values_          ? values_->of(0, index)
                                      : 1;
    const bool needs = spread_ == VolumeSpread::gaussian || spread_ == VolumeSpread::inside;
    if (needs && !(shape.radius > 0))
      throw Error(fmt::format("atom {} ({}) has no radius; --radius gives one to all", index, atom.name),
                  Error::Kind::usage);
    shape_.push_back(shape);
  }
}

void VolmapFrames::choose_grid(const VolmapChoice& choice, const Frame& frame) {
  const double spacing = choice.spacing > 0 ? choice.spacing : 1;
  if (!residues_.empty()) {
    const int half = static_cast<int>(std::floor(choice.half_width / spacing + 1e-9));
    grid_.counts = glm::ivec3(2 * half + 1);
    grid_.origin = glm::dvec3(-half * spacing);
    grid_.step = glm::dmat3(spacing);
    return;
  }
  if (!choice.like.empty()) {
    grid_ = grid_of_file(choice.like);
    if (!grid_.axis_aligned())
      throw Error::in_file(choice.like, 0, "has a grid that is not along x, y and z, which volume maps need");
    return;
  }
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const std::uint32_t atom : alignment_.atoms().empty() ? atoms_ : alignment_.atoms()) {
    lower = glm::min(lower, precise_position(frame, atom));
    upper = glm::max(upper, precise_position(frame, atom));
  }
  const double padding = choice.padding >= 0 ? choice.padding : 5;
  grid_ = Grid::covering(lower - padding, upper + padding, spacing);
}

void VolmapFrames::choose_waters(const Frame& frame) {
  if (!molecule_->force_field)
    throw Error(fmt::format("--kind {}: the files have no Lennard-Jones parameters (prmtop has them; psf with CHARMM's "
                            "parameter files too)",
                            choice_.kind),
                Error::Kind::usage);
  const Topology& topology = *molecule_->topology;
  hydration_.emplace(topology, *molecule_->force_field, Selection("water").atoms(topology, frame));
  // One atom stands for its molecule, or the energies of molecules would count several times.
  for (std::size_t i = 1; i < atoms_.size(); ++i)
    if (topology.atoms[atoms_[i]].residue == topology.atoms[atoms_[i - 1]].residue)
      throw Error(
          fmt::format("--kind {}: --select has several atoms of a molecule; select one, as in 'water and name O "
                      "OW OH2'",
                      choice_.kind),
          Error::Kind::usage);
}

void VolmapFrames::weigh_waters(const Frame& frame, std::vector<WeightedAtom>& moved, const Cell& cell,
                                const Job& job) const {
  const std::vector<std::uint8_t> inside = atoms_in_grid(moved, cell, grid_);
  std::vector<std::uint32_t> which;
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (inside[i]) which.push_back(atoms_[i]);
  std::vector<glm::dvec3> positions(frame.positions.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) positions[i] = precise_position(frame, i);
  const HydrationPartner partner = choice_.kind == "water-energy" ? HydrationPartner::water : HydrationPartner::solute;
  const std::vector<double> energies = hydration_->of(which, positions, frame.cell, partner, job);
  std::size_t next = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i].weight = inside[i] ? energies[next++] : 0;
}

std::vector<WeightedAtom> VolmapFrames::atoms_of(const Frame& frame, std::size_t index) const {
  std::vector<WeightedAtom> atoms = shape_;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    atoms[i].position = precise_position(frame, atoms_[i]);
    if (values_ && values_->each_frame()) atoms[i].weight = values_->of(index, atoms_[i]);
  }
  return atoms;
}

VolmapFrame VolmapFrames::map_of(std::size_t index, const Job& job) const {
  const Frame frame = whole_frame(*molecule_, index);
  std::vector<WeightedAtom> atoms = atoms_of(frame, index);
  double factor = factor_;
  if (unit_ == "bulk") {
    if (!frame.cell.exists())
      throw Error(fmt::format("frame {} has no cell, which --unit bulk needs", index), Error::Kind::input);
    factor = frame.cell.volume() / static_cast<double>(atoms.size());
  }
  VolmapFrame result;
  result.values.resize(grid_.size());
  const auto map_in = [&](const RigidMotion& motion, std::span<float> values) {
    const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
    std::vector<WeightedAtom> moved = atoms;
    for (WeightedAtom& atom : moved) atom.position = turn * atom.position + motion.translation;
    Cell cell;
    cell.vectors = turn * frame.cell.vectors;
    if (hydration_) weigh_waters(frame, moved, cell, job);
    volume_map(moved, cell, grid_, spread_, choice_.reach, values);
  };
  if (residues_.empty()) {
    const auto [motion, rmsd] = alignment_.motion(frame, index);
    result.rmsd = rmsd;
    map_in(motion, result.values);
  } else {
    std::vector<float> one(grid_.size());
    for (const FrameAtoms& three : residues_) {
      job.check();
      map_in(local_frame(precise_position(frame, three[0]), precise_position(frame, three[1]),
                         precise_position(frame, three[2])),
             one);
      for (std::size_t i = 0; i < one.size(); ++i) result.values[i] += one[i];
    }
    factor /= static_cast<double>(residues_.size());
  }
  if (factor != 1)
    for (float& value : result.values) value = static_cast<float>(static_cast<double>(value) * factor);
  return result;
}

std::vector<std::int32_t> VolmapFrames::occupants(std::size_t index, double& time) const {
  Frame frame = whole_frame(*molecule_, index);
  time = frame.has_time ? frame.time : 0;
  move_positions(frame, alignment_.motion(frame, index).motion);
  std::vector<std::int32_t> nearest(grid_.size());
  nearest_inside(atoms_of(frame, index), frame.cell, grid_, nearest);
  for (std::int32_t& atom : nearest)
    if (atom >= 0)
      atom = static_cast<std::int32_t>(molecule_->topology->atoms[atoms_[static_cast<std::size_t>(atom)]].residue);
  return nearest;
}

std::string VolmapFrames::title() const {
  return values_ ? values_->title() : choice_.kind;
}

std::size_t VolmapFrames::ahead() const {
  return 2 * static_cast<std::size_t>(std::max(1, thread_count())) + 1;
}

std::string VolmapFrames::text() const {
  return fmt::format(
      "{} of {} atoms ({}), {}", title(), atoms_.size(), choice_.selection,
      residues_.empty() ? alignment_.text() : fmt::format("around {} residues ({})", residues_.size(), choice_.around));
}

Json VolmapFrames::method() const {
  Json json{{"name", "volume map"}, {"kind", choice_.kind}, {"selection", choice_.selection}};
  const bool gaussian = spread_ == VolumeSpread::gaussian;
  if (gaussian || spread_ == VolumeSpread::voxel) json["spread"] = gaussian ? "gaussian" : "voxel";
  if (hydration_) json["force_field"] = molecule_->force_field->source;
  if (gaussian || spread_ == VolumeSpread::inside)
    json["radius"] = choice_.radius > 0 ? Json(choice_.radius) : Json("of each atom");
  if (values_) json["values"] = values_->title();
  if (spread_ == VolumeSpread::distance) json["reach"] = choice_.reach;
  if (!residues_.empty()) {
    json["around"] = choice_.around;
    json["residues"] = residues_.size();
  }
  json["alignment"] = alignment_.text();
  json["images"] = "all of the cell's lattice";
  return json;
}

AveragePart VolmapFrames::part() const {
  AveragePart part;
  part.name = "mean " + title();
  part.unit = unit_;
  part.comment = text();
  part.grid = grid_;
  part.provenance = {{"computation", "volume map"},
                     {"method", method()},
                     {"atoms", fingerprint(*molecule_, whole_frame(*molecule_, alignment_.reference()))}};
  return part;
}

}  // namespace isolume::cli
