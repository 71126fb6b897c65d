// The options of Poisson-Boltzmann on the command line.
#include "app/cli/compute/poisson_boltzmann_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "molecule/base/error.h"

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
  if (probe_radius >= 0) return "--probe-radius";
  if (width >= 0) return "--boundary-width";
  if (!surface.empty()) return "--boundary-surface";
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
  command.option("--ions", o.ions, "pb: a kind of ion in place of --ionic-strength; once for each kind")
      .repeated()
      .type_name("CHARGE:MOL/L[:RADIUS]")
      .group(heading);
  command
      .option("--boundary-surface", o.surface,
              "pb: where the dielectric changes: ses (solvent-excluded), vdw, smooth (ses with a width), or spline "
              "(about the atoms, as APBS's spl2; on the CPU)")
      .one_of({"ses", "vdw", "smooth", "spline"})
      .group(heading);
  command.option("--probe-radius", o.probe_radius, "pb: of the solvent-excluded surface (1.4)")
      .type_name("A")
      .range(0.0, 100.0)
      .group(heading);
  command.option("--boundary-width", o.width, "pb: of the smooth boundary (0.6), or of the splines (0.3)")
      .type_name("A")
      .range(0.05, 2.0)
      .group(heading);
  const Option focus =
      command.flag("--focus", o.focus, "pb: solve a larger box with a coarser grid first (the default)");
  focus.group(heading);
  command.flag("--no-focus", o.no_focus, "pb: Debye and Hückel's sums on the faces of the grid's own box")
      .excludes(focus)
      .group(heading);
}

PoissonBoltzmannOptions poisson_boltzmann_options(const PoissonBoltzmannChoice& c, double ionic_strength,
                                                  double temperature, double permittivity) {
  PoissonBoltzmannOptions o;
  o.nonlinear = c.nonlinear;
  o.focus = !c.no_focus;
  o.temperature = temperature;
  if (c.solute_dielectric >= 0) o.solute_permittivity = c.solute_dielectric;
  if (permittivity >= 0) o.solvent_permittivity = permittivity;
  if (c.probe_radius >= 0) o.probe_radius = c.probe_radius;
  if (c.surface == "vdw") o.boundary = DielectricBoundary::van_der_waals;
  if (c.surface == "smooth") o.boundary = DielectricBoundary::smooth;
  if (c.surface == "spline") {
    o.boundary = DielectricBoundary::spline;
    o.width = 0.3;
  }
  if (c.width >= 0) {
    if (o.boundary != DielectricBoundary::smooth && o.boundary != DielectricBoundary::spline)
      throw Error("--boundary-width belongs to --boundary-surface smooth or spline", Error::Kind::usage);
    o.width = c.width;
  }
  if (c.probe_radius >= 0 &&
      (o.boundary == DielectricBoundary::van_der_waals || o.boundary == DielectricBoundary::spline))
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
