// Noncovalent contacts between two groups of atoms as a field: delta-g of free atoms, coloured by sign(lambda2) rho.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/fields/field_atoms.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_kind.h"
#include "app/fields/field_memory.h"
#include "compute/base/timing.h"
#include "compute/electron_density/promolecule.h"
#include "compute/electrostatics/molecule_charges.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double margin = 2.5;       // angstrom around the first group; contacts are at half the distance between atoms
constexpr double partner_reach = 5;  // angstrom beyond the grid; densities of atoms farther away are below 1e-8 bohr^-3
constexpr double usual_points = 3e5;            // of the grid
constexpr double finest = 0.1, coarsest = 0.5;  // angstrom
constexpr std::size_t checked = 200;            // points where the colours are compared with double precision

/// Blue where atoms attract each other, green for weak contacts, red where they are too close: the usual scale.
std::vector<glm::vec3> contact_colours() {
  return {{0.0f, 0.0f, 0.85f},   {0.0f, 0.25f, 0.85f}, {0.0f, 0.5f, 0.75f}, {0.0f, 0.65f, 0.45f}, {0.1f, 0.7f, 0.15f},
          {0.55f, 0.65f, 0.05f}, {0.8f, 0.5f, 0.0f},   {0.85f, 0.3f, 0.0f}, {0.85f, 0.0f, 0.0f}};
}

/// The atoms that count in a frame.
struct Groups {
  std::vector<glm::dvec3> positions;  ///< bohr
  std::vector<int> elements;
  std::vector<std::uint8_t> parts;  ///< 1: of Field::selection; 2: its partners
};

class ContactKind : public FieldKind {
 public:
  ContactKind(const Field& field, const FieldAtoms& of, const std::optional<Grid>& grid) : field_(field) {
    const Topology& topology = *of.molecule->topology;
    const std::vector<std::uint32_t>& first = of.chosen->numbers;
    glm::dvec3 lower(1e300), upper(-1e300);
    for (const std::uint32_t i : first) {
      lower = glm::min(lower, glm::dvec3(of.frame.positions[i]));
      upper = glm::max(upper, glm::dvec3(of.frame.positions[i]));
    }
    lower -= margin;
    upper += margin;
    const glm::dvec3 edges = upper - lower;
    const double usual = std::ceil(100 * std::cbrt(edges.x * edges.y * edges.z / usual_points)) / 100;
    const double spacing = field.spacing > 0 ? field.spacing : std::clamp(usual, finest, coarsest);
    grid_ = grid ? *grid : Grid::covering(lower, upper, spacing);
    add_atoms(topology, of.frame, first, lower, upper);
    model_.emplace(groups_.positions, groups_.elements, groups_.parts);
    workspace_ = grid_.size() * sizeof(float);
  }

  void describe(DeviceVolume& result) const override {
    result.name = "noncovalent contacts";
    result.unit = "bohr^-4";
  }

  void compute(DeviceVolume& result, FieldPlace& place, Job& job, Stream*) override {
    const PhaseTimer timer("contacts: values");
    result.scalars = place.scalars(grid_.size());
    model_->on_grid(PromoleculeField::delta_g_inter, PromoleculeField::sign_lambda2, grid_, result.values.span(),
                    result.scalars.span(), job);
    const double range = field_.paint_range > 0 ? field_.paint_range : 0.05;
    result.scalar_limit = static_cast<float>(range);
    FieldLegend& legend = result.legend.emplace();
    legend.title = "Contacts, sign(\u03bb\u2082)\u03c1";
    legend.unit = "bohr^-3";
    legend.lower = -range;
    legend.upper = range;
    legend.colours = contact_colours();
    legend.method = "delta-g between two groups of free atoms, single precision";
    measure_error(result, legend);
  }

 private:
  void add_atoms(const Topology& topology, const Frame& frame, const std::vector<std::uint32_t>& first,
                 glm::dvec3 lower, glm::dvec3 upper) {
    const auto add = [&](std::uint32_t atom, std::uint8_t part) {
      groups_.positions.push_back(units::angstrom_in_bohr * glm::dvec3(frame.positions[atom]));
      groups_.elements.push_back(topology.atoms[atom].element);
      groups_.parts.push_back(part);
    };
    for (const std::uint32_t i : first) add(i, 1);
    std::vector<std::uint8_t> taken(topology.atoms.size(), 0);
    for (const std::uint32_t i : first) taken[i] = 1;
    bool others = false;
    for (const std::uint32_t i : chosen_atoms(field_.partners.empty() ? "all" : field_.partners, topology, frame)) {
      if (taken[i]) continue;
      others = true;
      const glm::dvec3 at(frame.positions[i]);
      if (glm::all(glm::greaterThan(at, lower - partner_reach)) && glm::all(glm::lessThan(at, upper + partner_reach)))
        add(i, 2);
    }
    if (!others)
      throw Error(
          fmt::format("contacts are between two groups of atoms: \"{}\" has all of {}; choose fewer atoms",
                      field_.selection, field_.partners.empty() ? "them" : fmt::format("\"{}\"", field_.partners)),
          Error::Kind::usage);
  }

  /// The colours at points within the surfaces against the formula in double precision.
  void measure_error(const DeviceVolume& result, FieldLegend& legend) const {
    const std::vector<float> values = result.values.copy_to_host(), signs = result.scalars.copy_to_host();
    const auto level = static_cast<float>(effective_isovalue(field_));
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] >= level) inside.push_back(i);
    const std::size_t every = std::max<std::size_t>(1, inside.size() / checked);
    double squares = 0, wrong = 0;
    for (std::size_t n = every / 2; n < inside.size(); n += every) {
      const auto x = static_cast<std::size_t>(grid_.counts.x), y = static_cast<std::size_t>(grid_.counts.y);
      const glm::dvec3 at = units::angstrom_in_bohr * grid_.point(static_cast<double>(inside[n] % x),
                                                                  static_cast<double>(inside[n] / x % y),
                                                                  static_cast<double>(inside[n] / (x * y)));
      const double exact = map_value(PromoleculeField::sign_lambda2, model_->reference(at));
      squares += exact * exact;
      wrong += std::pow(static_cast<double>(signs[inside[n]]) - exact, 2);
      legend.maximum_error = std::max(legend.maximum_error, std::abs(static_cast<double>(signs[inside[n]]) - exact));
      ++legend.error_points;
    }
    if (legend.error_points == 0 || squares == 0) return;
    legend.error = std::sqrt(wrong / static_cast<double>(legend.error_points));
    legend.relative_error = std::sqrt(wrong / squares);
  }

  const Field& field_;
  Groups groups_;
  std::optional<Promolecule> model_;
};

}  // namespace

std::unique_ptr<FieldKind> contact_kind(const FieldRequest& request, Job&, FieldPlace*) {
  return std::make_unique<ContactKind>(request.field, *request.atoms, request.grid);
}

}  // namespace isolume
