// The method options of compute potential.
#include "app/cli/compute/potential_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/command.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

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
    throw wrong(fmt::format("{} belongs to --method {}", option, list));
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
  only(o.ionic_strength >= 0, "--ionic-strength", {"debye-hueckel", "pb"});
  only(o.permittivity >= 0, "--solvent-dielectric", {"debye-hueckel", "pb"});
  only(!o.radii.empty(), "--radii", {"debye-hueckel", "pb"});
  only(o.order >= 0, "--order", {"spme"});
  only(!o.mesh.empty(), "--mesh", {"spme"});
  only(o.mesh_spacing >= 0, "--mesh-spacing", {"spme"});
  only(o.alpha >= 0, "--alpha", {"spme"});
  only(!o.thresholds.empty(), "--thresholds", {"hcp"});
  only(o.charges >= 0, "--charges", {"hcp"});
  only(!o.pb.given().empty(), o.pb.given().c_str(), {"pb"});
  if (!o.mesh.empty() && o.mesh_spacing >= 0) throw wrong("--mesh and --mesh-spacing exclude each other");
  if (o.published && (o.cutoff >= 0 || o.lattice_spacing >= 0 || o.degree >= 0 || o.smoothing >= 0 || !o.basis.empty()))
    throw wrong("--published sets the cutoff, the lattice's spacing, the degree and the smoothing; name it or them");
  if ((o.method == "msm" || o.method == "spme") && o.accuracy >= 0 && !chooses_parameters(o))
    throw wrong("--accuracy chooses the parameters; give it or them, not both");
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
  if (o.cutoff >= 0) m.cutoff = o.cutoff;
  if (o.lattice_spacing >= 0) m.spacing = o.lattice_spacing;
  if (o.degree >= 0) m.degree = o.degree;
  if (o.smoothing >= 0) m.smoothing = o.smoothing;
  if (o.basis == "bspline") m.basis = MsmBasisKind::bspline;
  // Periodic where the file has a cell, as compute energy is.
  m.periodic = o.periodic.empty() && cell.exists() ? std::array{true, true, true} : axes_of(o.periodic);
  m.cell = cell;
  if ((m.periodic[0] || m.periodic[1] || m.periodic[2]) && !cell.exists())
    throw wrong(
        fmt::format("--periodic {}: the file has no cell that has a volume; a GRO, or a PDB or PQR file with CRYST1, "
                    "or a trajectory has one",
                    o.periodic));
  return result;
}

}  // namespace

PotentialMethod potential_method(const std::string& name) {
  if (const auto method = method_from_name(name); method && *method != PotentialMethod::automatic) return *method;
  const std::string list = list_of_methods();
  std::vector<std::string> names;
  for (const MethodName& entry : method_names)
    if (entry.method != PotentialMethod::automatic) names.emplace_back(entry.name);
  const std::string near = name == "coulomb"                               ? "direct"
                           : name == "pme"                                 ? "spme"
                           : name == "apbs" || name == "poisson-boltzmann" ? "pb"
                                                                           : nearest(name, names);
  throw wrong(fmt::format("--method {}: there are {}{}", name, list,
                          near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
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

void add_method_options(Verb command, MethodOptions& o) {
  const char* all = "Methods";
  command
      .option("--method", o.method,
              "direct, cutoff, msm (multilevel summation), spme (particle-mesh Ewald), debye-hueckel, hcp "
              "(hierarchical charge partitioning) or pb (Poisson-Boltzmann)")
      .group(all);
  command.option("--unit", o.unit, "V, kT/e or kcal/mol/e").one_of({"V", "kT/e", "kcal/mol/e"}).group(all);
  command
      .option("--tolerance", o.tolerance,
              "target relative RMS error, checked by measurement; msm and spme are refined until it is met")
      .range(1e-9, 1.0)
      .group(all);
  command.option("--dielectric", o.dielectric, "constant:EPS, or sigmoidal (direct, cutoff, hcp)").group(all);
  command.option("--cutoff", o.cutoff, "angstrom (cutoff: 12; msm, spme: short-range part)")
      .range(1e-6, 1e6)
      .group(all);
  command.option("--form", o.form, "cutoff: plain, shifted (the default) or switched")
      .one_of({"plain", "shifted", "switched"})
      .group(all);
  command.option("--switching", o.switching, "cutoff: where switched begins, angstrom (2 before the cutoff)")
      .range(0.0, 1e6)
      .group(all);
  command
      .option("--accuracy", o.accuracy,
              "relative RMS error; msm, spme: to choose parameters for (msm: 2.5e-3); direct: of its fast mode")
      .range(1e-9, 1.0)
      .group(all);
  command.option("--lattice-spacing", o.lattice_spacing, "msm: of the finest lattice, angstrom")
      .range(1e-6, 1e6)
      .group(all);
  command.option("--degree", o.degree, "msm: of the interpolation").one_of({3, 5, 7}).group(all);
  command.option("--smoothing", o.smoothing, "msm: order of the Taylor series, 2 to 4").range(2, 4).group(all);
  command.option("--basis", o.basis, "msm: nodal (the paper's) or bspline, more accurate with as many nodes")
      .one_of({"nodal", "bspline"})
      .group(all);
  command.flag("--published", o.published, "msm: the paper's cutoff 12, lattice 2, degree 3, smoothing 2").group(all);
  command
      .option("--periodic", o.periodic,
              "msm: none, or the cell's vectors along which charges repeat: xyz (where the file has a cell), xy ...")
      .group(all);
  command.option("--order", o.order, "spme: of the splines, 4 to 8 (4)").range(4, 8).group(all);
  command.option("--mesh", o.mesh, "spme: mesh points along the cell vectors").expected(3).group(all);
  command.option("--mesh-spacing", o.mesh_spacing, "spme: largest distance of mesh points (1)")
      .range(1e-6, 1e6)
      .type_name("A")
      .group(all);
  command.option("--alpha", o.alpha, "spme: Ewald's parameter, 1/A (so that erfc(alpha cutoff) = 1e-5)")
      .range(1e-6, 1e6)
      .group(all);
  command
      .option("--thresholds", o.thresholds,
              "hcp: distances beyond which residues, chains and complexes act by their charges (15/66; published: "
              "15, 15/66, 21/90, 15/48)")
      .type_name("H1[/H2[/H3]]")
      .group(all);
  command.option("--charges", o.charges, "hcp: charges that stand for a part, 1 or 2 (1)").range(1, 2).group(all);
  command.option("--ionic-strength", o.ionic_strength, "debye-hueckel, pb: mol/l (0.15)").range(0.0, 100.0).group(all);
  command.option("--temperature", o.temperature, "K, of debye-hueckel, pb and of the unit kT/e (298.15)")
      .range(1.0, 1e5)
      .group(all);
  command.option("--solvent-dielectric", o.permittivity, "debye-hueckel, pb: relative permittivity (78.54)")
      .range(1.0, 1e4)
      .group(all);
  command.option("--radii", o.radii, "debye-hueckel, pb: atoms (the file's, else van der Waals), zero, or angstrom")
      .group(all);
  add_poisson_boltzmann_options(command, o.pb);
}

bool chooses_parameters(const MethodOptions& o) {
  if (o.method == "spme")
    return (o.accuracy > 0 || o.tolerance > 0) && o.cutoff < 0 && o.order < 0 && o.mesh.empty() && o.mesh_spacing < 0 &&
           o.alpha < 0;
  return o.method == "msm" && !o.published && o.cutoff < 0 && o.lattice_spacing < 0 && o.degree < 0 &&
         o.smoothing < 0 && o.basis.empty();
}

PotentialOptions potential_options(const MethodOptions& o, const Cell& cell) {
  const PotentialMethod method = potential_method(o.method);
  check_places(o);
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
