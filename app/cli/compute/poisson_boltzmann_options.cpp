// The options of Poisson-Boltzmann on the command line.
#include "app/cli/compute/poisson_boltzmann_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "molecule/base/error.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

IonSpecies ion_of(const std::string& text, double radius) {
  double values[3] = {0, 0, radius};
  int found = 0;
  for (std::size_t at = 0; at <= text.size() && found < 3;) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    const auto [next, fault] = std::from_chars(text.data() + at, text.data() + end, values[found]);
    if (fault != std::errc() || next != text.data() + end) break;
    ++found;
    at = end + 1;
    if (end == text.size()) return {values[0], found < 2 ? -1 : values[1], values[2]};
  }
  throw Error(
      fmt::format("--ions {}: expected CHARGE:CONCENTRATION or CHARGE:CONCENTRATION:RADIUS, such as 2:0.05:2", text),
      Error::Kind::usage);
}

}  // namespace

std::string PoissonBoltzmannChoice::given() const {
  if (nonlinear) return "--nonlinear";
  if (focus) return "--focus";
  if (no_focus) return "--no-focus";
  if (ion_radius >= 0) return "--ion-radius";
  if (ion_size >= 0) return "--ion-size";
  if (probe_radius >= 0) return "--probe-radius";
  if (width >= 0) return "--boundary-width";
  if (!surface.empty()) return "--boundary-surface";
  if (!dielectric_of.empty()) return "--dielectric-of";
  if (membrane >= 0) return "--membrane";
  if (membrane_centre < 1e300) return "--membrane-centre";
  if (membrane_dielectric >= 0) return "--membrane-dielectric";
  if (pore >= 0) return "--pore";
  return ions.empty() ? "" : "--ions";
}

void add_poisson_boltzmann_options(Verb command, PoissonBoltzmannChoice& o) {
  const char* heading = "Poisson-Boltzmann (--method pb)";
  command.flag("--nonlinear", o.nonlinear, "pb: the non-linear equation").group(heading);
  command
      .option("--solute-dielectric", o.solute_dielectric, "pb, gb: relative permittivity of the solute (pb: 2, gb: 1)")
      .range(1.0, 1000.0)
      .group(heading);
  command.option("--ion-radius", o.ion_radius, "pb: how near ions come to the atoms' spheres (2)")
      .type_name("A")
      .range(0.0, 100.0)
      .group(heading);
  command
      .option("--ion-size", o.ion_size,
              "pb: the non-linear equation with ions that each fill a cube of this edge (size-modified)")
      .type_name("A")
      .range(0.0, 20.0)
      .group(heading);
  command.option("--ions", o.ions, "pb: a kind of ion in place of --ionic-strength; once for each kind")
      .repeated()
      .type_name("CHARGE:MOL/L[:RADIUS]")
      .group(heading);
  command
      .option(
          "--boundary-surface", o.surface,
          "pb: where the dielectric changes: ses (solvent-excluded), vdw, smooth (ses with a width), spline or spl2 "
          "(about the atoms, as in APBS), spl4 (the same of degree 7), or gaussian (everywhere, by the atoms' "
          "densities, as DelPhi's)")
      .one_of({"ses", "vdw", "smooth", "spline", "spl2", "spl4", "gaussian"})
      .group(heading);
  command.option("--probe-radius", o.probe_radius, "pb: of the solvent-excluded surface (1.4)")
      .type_name("A")
      .range(0.0, 100.0)
      .group(heading);
  command
      .option("--boundary-width", o.width,
              "pb: of the smooth boundary (0.6 A), of the splines (0.3 A), or of the Gaussians in radii (0.93)")
      .type_name("A")
      .range(0.05, 2.0)
      .group(heading);
  command
      .option("--dielectric-of", o.dielectric_of,
              "pb: another permittivity of the solute about the atoms of a selection; once for each")
      .repeated()
      .type_name("SELECTION=EPS")
      .group(heading);
  command.option("--membrane", o.membrane, "pb: a slab of this thickness across z, without ions")
      .type_name("A")
      .range(1.0, 1000.0)
      .group(heading);
  command.option("--membrane-centre", o.membrane_centre, "with --membrane: z of its middle (0)")
      .type_name("Z")
      .group(heading);
  command.option("--membrane-dielectric", o.membrane_dielectric, "with --membrane: its permittivity (2)")
      .range(1.0, 1000.0)
      .group(heading);
  command
      .option("--pore", o.pore,
              "with --membrane: water within this distance of the axis of the atoms in it; 0: none (default: what the "
              "molecule encloses in its plane)")
      .type_name("A")
      .range(0.0, 1000.0)
      .group(heading);
  const Option focus =
      command.flag("--focus", o.focus, "pb: solve a larger box with a coarser grid first (the default)");
  focus.group(heading);
  command.flag("--no-focus", o.no_focus, "pb: Debye and Hückel's sums on the faces of the grid's own box")
      .excludes(focus)
      .group(heading);
}

void set_dielectrics(const std::vector<std::string>& choices, const Topology& topology, const Frame& frame,
                     std::span<const std::uint32_t> atoms, std::vector<ChargedSphere>& spheres) {
  for (const std::string& choice : choices) {
    const std::size_t equals = choice.rfind('=');
    double value = 0;
    const char* const end = choice.data() + choice.size();
    const bool number = equals != std::string::npos &&
                        std::from_chars(choice.data() + equals + 1, end, value).ptr == end &&
                        equals + 1 < choice.size();
    if (!number || !(value >= 1 && value <= 1000))
      throw Error(fmt::format("--dielectric-of {}: expected SELECTION=EPS with a permittivity from 1 to 1000, such as "
                              "'resname LIG=4'",
                              choice),
                  Error::Kind::usage);
    const std::string selection = choice.substr(0, equals);
    const std::vector<std::uint8_t> mask = Selection(selection).mask(topology, frame);
    bool any = false;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      if (!mask[atoms[i]]) continue;
      spheres[i].permittivity = static_cast<float>(value);
      any = true;
    }
    if (!any) throw Error("--dielectric-of: " + empty_selection(selection, topology), Error::Kind::usage);
  }
}

PoissonBoltzmannOptions poisson_boltzmann_options(const PoissonBoltzmannChoice& c, double ionic_strength,
                                                  double temperature, double permittivity) {
  PoissonBoltzmannOptions o;
  o.nonlinear = c.nonlinear || c.ion_size > 0;
  if (c.ion_size > 0) o.ion_size = c.ion_size;
  o.focus = !c.no_focus;
  o.temperature = temperature;
  if (c.solute_dielectric >= 0) o.solute_permittivity = c.solute_dielectric;
  if (permittivity >= 0) o.solvent_permittivity = permittivity;
  if (c.probe_radius >= 0) o.probe_radius = c.probe_radius;
  if (c.surface == "vdw") o.boundary = DielectricBoundary::van_der_waals;
  if (c.surface == "smooth") o.boundary = DielectricBoundary::smooth;
  if (c.surface == "spline" || c.surface == "spl2" || c.surface == "spl4") {
    o.boundary = DielectricBoundary::spline;
    o.spline_degree = c.surface == "spl4" ? 7 : 3;
    o.width = 0.3;
  }
  if (c.surface == "gaussian") o.boundary = DielectricBoundary::gaussian;
  if (c.membrane >= 0) {
    PoissonBoltzmannMembrane membrane;
    membrane.thickness = c.membrane;
    if (c.membrane_centre < 1e300) membrane.centre = c.membrane_centre;
    if (c.membrane_dielectric >= 0) membrane.permittivity = c.membrane_dielectric;
    if (c.pore >= 0) membrane.pore = c.pore;
    o.membrane = membrane;
  } else if (c.membrane_centre < 1e300 || c.membrane_dielectric >= 0 || c.pore >= 0) {
    throw Error(fmt::format("{} belongs to --membrane", c.given()), Error::Kind::usage);
  }
  if (c.width >= 0 && o.boundary == DielectricBoundary::gaussian) {
    o.gaussian_width = c.width;
  } else if (c.width >= 0) {
    if (o.boundary != DielectricBoundary::smooth && o.boundary != DielectricBoundary::spline)
      throw Error("--boundary-width belongs to --boundary-surface smooth, spline, spl4 or gaussian",
                  Error::Kind::usage);
    o.width = c.width;
  }
  if (c.probe_radius >= 0 && (o.boundary == DielectricBoundary::van_der_waals ||
                              o.boundary == DielectricBoundary::spline || o.boundary == DielectricBoundary::gaussian))
    throw Error("--probe-radius belongs to --boundary-surface ses or smooth", Error::Kind::usage);
  const double radius = c.ion_radius >= 0 ? c.ion_radius : 2.0;
  if (!c.ions.empty()) {
    if (ionic_strength >= 0) throw Error("--ions and --ionic-strength exclude each other", Error::Kind::usage);
    o.ions.clear();
    for (const std::string& text : c.ions) o.ions.push_back(ion_of(text, radius));
  } else {
    const double strength = ionic_strength >= 0 ? ionic_strength : 0.15;
    o.ions = {{1, strength, radius}, {-1, strength, radius}};
  }
  return o;
}

}  // namespace isolume::cli
