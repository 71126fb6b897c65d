// The methods of electrostatics on the command line: from options to a method with its parameters.
#include "app/cli/compute/method_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/command.h"
#include "compute/electrostatics/hcp/hcp_complexes.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

constexpr double usual_msm_cutoff = 9;  // angstrom, as of particle-mesh Ewald

Error wrong(const std::string& message) {
  return Error(message, Error::Kind::usage);
}

double number_of(const char* option, const std::string& text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw wrong(fmt::format("{}: '{}' is not a number", option, text));
  return value;
}

std::array<bool, 3> axes_of(const std::string& text) {
  std::array<bool, 3> axes{};
  if (text.empty() || text == "none") return axes;
  for (const char c : text) {
    const std::size_t axis = c == 'x' || c == 'a' ? 0 : c == 'y' || c == 'b' ? 1 : c == 'z' || c == 'c' ? 2 : 3;
    if (axis == 3 || axes[axis])
      throw wrong(fmt::format("--periodic {}: expected none, or the cell's vectors: xyz, xy, z, ...", text));
    axes[axis] = true;
  }
  return axes;
}

// Every option names the methods that it belongs to.
void check_places(const MethodOptions& o) {
  const auto only = [&](bool given, const char* option, std::initializer_list<std::string_view> methods) {
    if (!given) return;
    std::string list;
    for (const std::string_view method : methods) {
      if (method == o.method) return;
      list += (list.empty() ? "" : " or ") + std::string(method);
    }
    throw wrong(fmt::format("{} belongs to --method {}, not to {}", option, list, o.method));
  };
  only(o.cutoff >= 0, "--cutoff", {"cutoff", "msm", "spme"});
  only(!o.form.empty(), "--form", {"cutoff"});
  only(o.switching >= 0, "--switching", {"cutoff"});
  only(!o.dielectric.empty(), "--dielectric", {"direct", "cutoff", "msm", "spme", "hcp"});
  only(o.accuracy >= 0, "--accuracy", {"direct", "msm", "spme"});
  only(o.lattice_spacing >= 0, "--lattice-spacing", {"msm"});
  only(o.degree >= 0, "--degree", {"msm"});
  only(o.smoothing >= 0, "--smoothing", {"msm"});
  only(!o.basis.empty(), "--basis", {"msm"});
  only(o.published, "--published", {"msm"});
  only(!o.periodic.empty() && o.periodic != "none", "--periodic", {"msm"});
  only(o.open, "--open", {"msm"});
  only(o.ionic_strength >= 0, "--ionic-strength", {"debye-hueckel", "pb", "gb"});
  constexpr double most = 20;  // mol/l, more than what dissolves of any usual salt
  if (o.ionic_strength > most)
    throw wrong(fmt::format("--ionic-strength {0:g}: it is in mol/l (M), at most {1:g}; for {0:g} mmol/l write {2:g}",
                            o.ionic_strength, most, o.ionic_strength / 1000));
  only(o.permittivity >= 0, "--solvent-dielectric", {"debye-hueckel", "pb", "gb"});
  only(!o.radii.empty(), "--radii", {"debye-hueckel", "pb"});
  only(o.order >= 0, "--order", {"spme"});
  only(!o.mesh.empty(), "--mesh", {"spme"});
  only(o.mesh_spacing >= 0, "--mesh-spacing", {"spme"});
  only(o.alpha >= 0, "--alpha", {"spme"});
  only(!o.thresholds.empty(), "--thresholds", {"hcp"});
  only(!o.complexes.empty(), "--complexes", {"hcp"});
  only(o.charges >= 0, "--charges", {"hcp"});
  only(o.pb.solute_dielectric >= 0, "--solute-dielectric", {"pb", "gb"});
  only(!o.pb.given().empty(), o.pb.given().c_str(), {"pb"});
  only(o.screening_factor >= 0, "--screening-factor", {"gb"});
  only(!o.gb_model.empty(), "--gb-model", {"gb"});
  if (!o.mesh.empty() && o.mesh_spacing >= 0) throw wrong("--mesh and --mesh-spacing exclude each other");
  if (o.published && (o.cutoff >= 0 || o.lattice_spacing >= 0 || o.degree >= 0 || o.smoothing >= 0 || !o.basis.empty()))
    throw wrong("--published sets the cutoff, the lattice's spacing, the degree and the smoothing; name it or them");
  if ((o.method == "msm" || o.method == "spme") && o.accuracy >= 0 && !chooses_parameters(o))
    throw wrong("--accuracy chooses the parameters; give it or them, not both");
}

// What maps take of a method and energies do not.
void check_energy(const MethodOptions& o) {
  if (!o.dielectric.empty() && o.method != "direct" && o.method != "hcp")
    throw wrong("--dielectric belongs to --method direct or hcp, not to " + o.method);
  if (o.accuracy >= 0 && o.method != "spme") throw wrong("--accuracy belongs to --method spme, not to " + o.method);
  const auto axes = axes_of(o.periodic);
  if ((axes[0] || axes[1] || axes[2]) && !(axes[0] && axes[1] && axes[2]))
    throw wrong("--periodic " + o.periodic +
                ": energies are periodic along all vectors of the cell, or not: xyz or none");
}

SpmeMethod spme_of(const MethodOptions& o, const Cell& cell) {
  if (!cell.exists())
    throw wrong(
        "--method spme sums periodic systems, and the file has no cell that has a volume; a GRO, or a PDB or PQR file "
        "with CRYST1, or a "
        "trajectory has one");
  SpmeMethod result;
  result.cell = cell;
  SpmeOptions& s = result.spme;
  // Not given, it is the usual one, or the largest that the cell allows.
  s.cutoff = o.cutoff > 0 ? o.cutoff : usual_cutoff(s.cutoff, cell);
  result.fixed_cutoff = std::max(0.0, o.cutoff);
  if (o.alpha > 0) s.alpha = o.alpha;
  if (o.order > 0) s.order = o.order;
  if (o.mesh_spacing > 0) s.spacing = o.mesh_spacing;
  for (std::size_t i = 0; i < o.mesh.size(); ++i) s.mesh[static_cast<int>(i)] = o.mesh[i];
  return result;
}

CutoffOptions cutoff_of(const MethodOptions& o) {
  CutoffOptions c;
  if (o.cutoff >= 0) c.cutoff = o.cutoff;
  if (o.form == "plain") c.form = CutoffForm::plain;
  if (o.form == "switched") c.form = CutoffForm::switched;
  if (o.switching >= 0 && c.form != CutoffForm::switched) throw wrong("--switching belongs to --form switched");
  c.switching = o.switching >= 0 ? o.switching : std::max(0.0, c.cutoff - 2);
  if (c.form == CutoffForm::switched && !(c.switching < c.cutoff))
    throw wrong(fmt::format("--switching {}: expected less than the cutoff {}", c.switching, c.cutoff));
  return c;
}

MsmMethod msm_of(const MethodOptions& o, const Cell& cell) {
  MsmMethod result;
  MsmOptions& m = result.msm;
  if (o.published) m = MsmOptions::published();
  // Periodic where the file has a cell.
  const std::string axes = o.open ? "none" : o.periodic;
  m.periodic = axes.empty() && cell.exists() ? std::array{true, true, true} : axes_of(axes);
  const bool periodic = m.periodic[0] || m.periodic[1] || m.periodic[2];
  if (!o.published) {
    m.cutoff = periodic && cell.exists() ? usual_cutoff(usual_msm_cutoff, cell) : usual_msm_cutoff;
    m.degree = 7;
    m.smoothing = 4;
  }
  if (o.cutoff >= 0) m.cutoff = o.cutoff;
  if (o.lattice_spacing >= 0) m.spacing = o.lattice_spacing;
  if (o.degree >= 0) m.degree = o.degree;
  if (o.smoothing >= 0) m.smoothing = o.smoothing;
  if (o.basis == "bspline") m.basis = MsmBasisKind::bspline;
  m.cell = cell;
  if (periodic && !cell.exists())
    throw wrong(
        fmt::format("--periodic {}: the file has no cell that has a volume; a GRO, or a PDB or PQR file with CRYST1, "
                    "or a trajectory has one",
                    axes));
  return result;
}

}  // namespace

bool computes(MethodUse use, PotentialMethod method) {
  switch (method) {
    case PotentialMethod::automatic:
      return false;
    case PotentialMethod::cutoff:
    case PotentialMethod::debye_hueckel:
      return use == MethodUse::map;
    case PotentialMethod::pb:
      return use != MethodUse::forces;
    case PotentialMethod::gb:
      return use == MethodUse::energy;
    case PotentialMethod::direct:
    case PotentialMethod::msm:
    case PotentialMethod::spme:
    case PotentialMethod::hcp:
      return true;
  }
  return false;
}

PotentialMethod potential_method(const std::string& name, MethodUse use) {
  if (const auto method = method_from_name(name); method && computes(use, *method)) return *method;
  std::vector<std::string> names;
  for (const MethodName& entry : method_names)
    if (computes(use, entry.method)) names.emplace_back(entry.name);
  const std::string near = name == "coulomb"                               ? "direct"
                           : name == "pme"                                 ? "spme"
                           : name == "obc" || name == "generalised-born"   ? "gb"
                           : name == "apbs" || name == "poisson-boltzmann" ? "pb"
                                                                           : nearest(name, names);
  const bool known = std::find(names.begin(), names.end(), near) != names.end();
  throw wrong(fmt::format("--method {}: there are {}{}", name,
                          list_of_methods([use](PotentialMethod method) { return !computes(use, method); }),
                          known ? fmt::format(" (did you mean {}?)", near) : ""));
}

std::optional<PotentialMethod> method_of_field(const std::string& name) {
  if (name.empty()) return {};
  return name == "automatic" ? PotentialMethod::automatic : potential_method(name);
}

Dielectric dielectric_of(const std::string& text) {
  if (text.empty()) return {};
  if (text == "sigmoidal") return Dielectric::sigmoidal();
  const std::string head = "constant:";
  if (!text.starts_with(head))
    throw wrong(fmt::format("--dielectric {}: expected constant:EPS, such as constant:4, or sigmoidal", text));
  const double value = number_of("--dielectric", text.substr(head.size()));
  if (!(value >= 1)) throw wrong(fmt::format("--dielectric {}: expected 1 or more", text));
  return Dielectric::constant(value);
}

bool chooses_parameters(const MethodOptions& o) {
  if (o.method == "spme")
    return (o.accuracy > 0 || o.tolerance > 0) && o.order < 0 && o.mesh.empty() && o.mesh_spacing < 0 && o.alpha < 0;
  return o.method == "msm" && !o.published && o.cutoff < 0 && o.lattice_spacing < 0 && o.degree < 0 &&
         o.smoothing < 0 && o.basis.empty();
}

PotentialOptions potential_options(const MethodOptions& o, const Cell& cell, MethodUse use) {
  const PotentialMethod method = potential_method(o.method, use);
  check_places(o);
  if (use != MethodUse::map) check_energy(o);
  const Dielectric dielectric = dielectric_of(o.dielectric);
  if (has_accuracy(method) && dielectric.kind == Dielectric::Kind::sigmoidal)
    throw wrong(fmt::format("--dielectric sigmoidal belongs to --method direct, cutoff or hcp; {} takes constant:EPS",
                            o.method));
  switch (method) {
    case PotentialMethod::automatic:
    case PotentialMethod::direct:
      break;
    case PotentialMethod::cutoff: {
      CutoffOptions cutoff = cutoff_of(o);
      cutoff.dielectric = dielectric;
      return cutoff;
    }
    case PotentialMethod::msm: {
      MsmMethod msm = msm_of(o, cell);
      msm.dielectric = dielectric.bulk;
      return msm;
    }
    case PotentialMethod::spme: {
      SpmeMethod spme = spme_of(o, cell);
      spme.dielectric = dielectric.bulk;
      return spme;
    }
    case PotentialMethod::hcp: {
      HcpMethod parts;
      check_complexes(complexes_choice(o));
      parts.hcp.thresholds = HcpOptions::parse_thresholds(o.thresholds.empty() ? usual_thresholds : o.thresholds);
      if (o.charges > 0) parts.hcp.charges = o.charges;
      parts.hcp.dielectric = dielectric;
      return parts;
    }
    case PotentialMethod::debye_hueckel: {
      DebyeHueckelOptions screened;
      if (o.ionic_strength >= 0) screened.ionic_strength = o.ionic_strength;
      screened.temperature = o.temperature;
      if (o.permittivity >= 0) screened.permittivity = o.permittivity;
      return screened;
    }
    case PotentialMethod::pb:
      return poisson_boltzmann_options(o.pb, o.ionic_strength, o.temperature, o.permittivity);
    case PotentialMethod::gb: {
      GeneralisedBornOptions born;
      if (o.pb.solute_dielectric >= 0) born.solute_permittivity = o.pb.solute_dielectric;
      if (o.permittivity >= 0) born.solvent_permittivity = o.permittivity;
      if (o.ionic_strength >= 0) born.ionic_strength = o.ionic_strength;
      if (o.screening_factor >= 0) born.screening_factor = o.screening_factor;
      born.temperature = o.temperature;
      return born;
    }
  }
  DirectOptions direct{dielectric, 0};
  if (o.accuracy > 0) {
    direct.accuracy = o.accuracy;
    if (dielectric.kind == Dielectric::Kind::sigmoidal)
      throw wrong("--accuracy: the fast direct sum takes a constant dielectric");
  }
  return direct;
}

void set_radii(std::vector<ChargedSphere>& spheres, const MethodOptions& o) {
  if (o.radii.empty() || o.radii == "atoms") return;
  const double radius = o.radii == "zero" ? 0 : number_of("--radii", o.radii);
  if (!(radius >= 0 && radius < 1000)) throw wrong(fmt::format("--radii {}: expected 0 to 1000 angstrom", o.radii));
  for (ChargedSphere& sphere : spheres) sphere.radius = static_cast<float>(radius);
}

double unit_factor(const MethodOptions& o) {
  if (o.unit == "kT/e") return 1 / units::thermal_voltage(o.temperature);
  return o.unit == "V" ? 1 : units::ev_in_kcal_per_mol;
}

}  // namespace isolume::cli
