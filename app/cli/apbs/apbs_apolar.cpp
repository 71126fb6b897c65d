// APOLAR blocks of APBS's input files: energies by the solvent-accessible area and volume.
#include "app/cli/apbs/apbs_apolar.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "compute/analysis/sasa.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/molecular_surface/accessible_volume.h"

namespace isolume::cli {
namespace {

int molecule_of(const ApbsWords& words, const ApbsWord& word, int molecules) {
  int value = 0;
  const char* const end = word.text.data() + word.text.size();
  const auto [stop, fault] = std::from_chars(word.text.data(), end, value);
  if (fault != std::errc() || stop != end || value < 1 || value > molecules)
    words.fail(word, fmt::format("mol {}: there are {} molecules, from 1", word.text, molecules));
  return value;
}

}  // namespace

ApbsApolar read_apolar(ApbsWords& words, const ApbsWord& begin, const std::string& number, int molecules,
                       const std::function<void(const std::string&)>& note) {
  ApbsApolar apolar;
  apolar.line = begin.line;
  apolar.name = number;
  std::optional<double> tension, pressure, density, probe;
  bool has_molecule = false;
  for (;;) {
    const ApbsWord word = words.next("END of APOLAR");
    const std::string key = apbs_lower(word.text);
    if (key == "end") break;
    if (key == "name") {
      apolar.name = words.next("a name").text;
    } else if (key == "mol") {
      apolar.molecule = molecule_of(words, words.next("mol"), molecules);
      has_molecule = true;
    } else if (key == "gamma") {
      tension = words.number(key);
    } else if (key == "press") {
      pressure = words.number(key);
    } else if (key == "bconc") {
      density = words.number(key);
      if (*density != 0)
        words.fail(word, fmt::format("bconc {:g}: the integral over the solvent's Lennard-Jones potential (WCA) has no "
                                     "counterpart here; 0 leaves it out",
                                     *density));
    } else if (key == "srad") {
      probe = words.number(key);
      if (*probe < 0 || *probe > 100) words.fail(word, fmt::format("srad {:g}: expected 0 to 100 angstrom", *probe));
    } else if (key == "grid") {
      apolar.spacing = words.three(key);
      if (!(apolar.spacing.x > 0 && apolar.spacing.y > 0 && apolar.spacing.z > 0))
        words.fail(word, "grid: expected three steps above 0");
    } else if (key == "srfm") {
      const ApbsWord how = words.next("sacc");
      if (apbs_lower(how.text) != "sacc") words.fail(how, fmt::format("srfm {}: expected sacc", how.text));
    } else if (key == "sdens") {
      words.number(key);
      note("apolar sdens: the area is by 960 points on each sphere");
    } else if (key == "swin" || key == "temp" || key == "dpos") {
      words.number(key);  // of forces, or without a meaning for this energy
    } else if (key == "calcenergy") {
      words.next(key);
    } else if (key == "calcforce") {
      const ApbsWord how = words.next(key);
      if (apbs_lower(how.text) != "no")
        words.fail(how, fmt::format("calcforce {}: forces are not computed; expected no", how.text));
    } else {
      words.fail(word, fmt::format("APOLAR {}: unknown; there are name, mol, bconc, gamma, press, srad, srfm, grid, "
                                   "sdens, swin, temp, dpos, calcenergy and calcforce",
                                   word.text));
    }
  }
  const auto need = [&](bool there, const char* what) {
    if (!there) words.fail(begin, fmt::format("APOLAR {}: no {}", apolar.name, what));
  };
  need(molecules > 0, "molecule (READ mol pqr)");
  need(has_molecule, "mol");
  need(tension.has_value(), "gamma");
  need(pressure.has_value(), "press");
  need(density.has_value(), "bconc");
  need(probe.has_value(), "srad");
  apolar.tension = *tension;
  apolar.pressure = *pressure;
  apolar.probe_radius = *probe;
  need(apolar.pressure == 0 || apolar.spacing.x > 0, "grid, which the volume needs");
  return apolar;
}

ApbsApolarEnergy apolar_energy(std::span<const ChargedSphere> atoms, const ApbsApolar& apolar, Device device,
                               Job& job) {
  ApbsApolarEnergy result;
  std::vector<SasaAtom> spheres;
  std::vector<DensityAtom> balls;
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& atom : atoms) {
    if (!(atom.radius > 0)) continue;
    spheres.push_back({atom.position, atom.radius});
    balls.push_back({atom.position, atom.radius, {}});
    lower = glm::min(lower, glm::dvec3(atom.position) - double{atom.radius});
    upper = glm::max(upper, glm::dvec3(atom.position) + double{atom.radius});
  }
  if (spheres.empty()) return result;
  SasaOptions options;
  options.probe_radius = static_cast<float>(apolar.probe_radius);
  DeviceArray<float> areas(spheres.size(), device, "areas");
  solvent_accessible_area(spheres, options, areas.span(), job);
  for (const float area : areas.copy_to_host()) result.area += static_cast<double>(area);
  if (apolar.pressure != 0) {
    Grid nodes;
    nodes.step = glm::dmat3(0.0);
    nodes.origin = lower - apolar.probe_radius - 2.0 * apolar.spacing;
    for (int axis = 0; axis < 3; ++axis) {
      nodes.step[axis][axis] = apolar.spacing[axis];
      const double length = upper[axis] + apolar.probe_radius + 2 * apolar.spacing[axis] - nodes.origin[axis];
      nodes.counts[axis] = static_cast<int>(std::ceil(length / apolar.spacing[axis])) + 1;
    }
    require_memory(nodes.size() * sizeof(float), Device::cpu(), "the volume of an APOLAR block");
    result.volume = accessible_volume(balls, apolar.probe_radius, nodes, job);
  }
  result.energy = apolar.tension * result.area + apolar.pressure * result.volume;
  return result;
}

}  // namespace isolume::cli
