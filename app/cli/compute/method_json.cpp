// The parameters of a method of electrostatics in reports: the same keys for maps, energies and dynamics.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/compute/method_options.h"
#include "compute/electrostatics/method.h"

namespace isolume::cli {

using Json = nlohmann::ordered_json;

Json method_json(const PotentialOptions& p, const MethodOptions& options, bool chosen) {
  Json json;
  const auto axes = periodic_axes(p);
  json["boundary"] = !is_periodic(p) ? "not periodic"
                                     : fmt::format("periodic along {}{}{} of the cell", axes[0] ? "a" : "",
                                                   axes[1] ? "b" : "", axes[2] ? "c" : "");
  if (is_fully_periodic(p)) json["surroundings"] = "conducting (no surface term)";
  if (const auto* const h = std::get_if<DebyeHueckelOptions>(&p)) {
    json["ionic_strength"] = h->ionic_strength;
    json["temperature"] = h->temperature;
    json["solvent_dielectric"] = h->permittivity;
    json["debye_length"] = 1 / h->inverse_debye_length();
    if (h->ionic_strength == 0) json["debye_length"] = nullptr;
    json["radii"] = options.radii.empty() ? "atoms" : options.radii;
  } else {
    const Dielectric dielectric = dielectric_of(p);
    const bool sigmoidal = dielectric.kind == Dielectric::Kind::sigmoidal;
    json["dielectric"] = sigmoidal ? "sigmoidal" : "constant";
    json["dielectric_constant"] = dielectric.bulk;
    if (sigmoidal) json["dielectric_slope"] = dielectric.slope;
  }
  if (const auto* const c = std::get_if<CutoffOptions>(&p)) {
    json["cutoff"] = c->cutoff;
    json["form"] = options.form.empty() ? "shifted" : options.form;
    if (c->form == CutoffForm::switched) json["switching"] = c->switching;
  }
  if (const auto* const m = std::get_if<MsmMethod>(&p)) {
    json["cutoff"] = m->msm.cutoff;
    json["lattice_spacing"] = m->msm.spacing;
    json["degree"] = m->msm.degree;
    json["smoothing"] = m->msm.smoothing;
    json["basis"] = m->msm.basis == MsmBasisKind::bspline ? "bspline" : "nodal";
    json["chosen_by"] = options.published ? "published" : chosen ? "accuracy" : "options";
  }
  if (const auto* const e = std::get_if<SpmeMethod>(&p)) {
    const SpmeOptions s = complete_spme(e->spme, e->cell);
    json["cutoff"] = s.cutoff;
    json["alpha"] = s.alpha;
    json["order"] = s.order;
    json["mesh"] = {s.mesh.x, s.mesh.y, s.mesh.z};
    json["chosen_by"] = chosen ? "accuracy" : "options";
  }
  if (const auto* const h = std::get_if<HcpMethod>(&p)) {
    json["thresholds"] = options.thresholds.empty() ? usual_thresholds : options.thresholds;
    json["charges"] = h->hcp.charges;
    if (h->parts) {
      json["groups"] = h->parts->count(1);
      json["subunits"] = h->parts->count(2);
      json["complexes"] = h->parts->count(3);
    }
  }
  return json;
}

}  // namespace isolume::cli
