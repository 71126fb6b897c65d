// What the report of isolume compute potential says of its method.
#include <fmt/format.h>

#include "app/cli/compute/potential_work.h"

namespace isolume::cli {

using Json = nlohmann::ordered_json;

Json method_json(const MethodOptions& options, const PotentialWork& work) {
  const PotentialOptions& p = work.potential;
  Json json{{"name", options.method}, {"selection", work.request.field.selection}, {"frame", work.request.frame}};
  const auto axes = periodic_axes(p);
  json["boundary"] = !is_periodic(p) ? "not periodic"
                                     : fmt::format("periodic along {}{}{} of the cell", axes[0] ? "a" : "",
                                                   axes[1] ? "b" : "", axes[2] ? "c" : "");
  if (p.method == PotentialMethod::debye_hueckel) {
    json["ionic_strength"] = p.debye_hueckel.ionic_strength;
    json["temperature"] = p.debye_hueckel.temperature;
    json["solvent_dielectric"] = p.debye_hueckel.permittivity;
    json["debye_length"] = 1 / p.debye_hueckel.inverse_debye_length();
    if (p.debye_hueckel.ionic_strength == 0) json["debye_length"] = nullptr;
    json["radii"] = options.radii.empty() ? "atoms" : options.radii;
  } else {
    const bool sigmoidal = p.dielectric.kind == Dielectric::Kind::sigmoidal;
    json["dielectric"] = sigmoidal ? "sigmoidal" : "constant";
    json["dielectric_constant"] = p.dielectric.bulk;
    if (sigmoidal) json["dielectric_slope"] = p.dielectric.slope;
  }
  if (p.method == PotentialMethod::cutoff) {
    json["cutoff"] = p.cutoff.cutoff;
    json["form"] = options.form.empty() ? "shifted" : options.form;
    if (p.cutoff.form == CutoffForm::switched) json["switching"] = p.cutoff.switching;
  }
  if (p.method == PotentialMethod::msm) {
    json["cutoff"] = p.msm.cutoff;
    json["lattice_spacing"] = p.msm.spacing;
    json["degree"] = p.msm.degree;
    json["smoothing"] = p.msm.smoothing;
    json["basis"] = p.msm.basis == MsmBasisKind::bspline ? "bspline" : "nodal";
    json["chosen_by"] = options.published ? "published" : chooses_parameters(options) ? "accuracy" : "options";
  }
  if (p.method == PotentialMethod::spme) {
    const SpmeOptions s = complete_spme(p.spme, p.cell);
    json["cutoff"] = s.cutoff;
    json["alpha"] = s.alpha;
    json["order"] = s.order;
    json["mesh"] = {s.mesh.x, s.mesh.y, s.mesh.z};
    json["chosen_by"] = chooses_parameters(options) ? "accuracy" : "options";
    json["surroundings"] = "conducting (no surface term)";
  }
  if (p.method == PotentialMethod::hcp) {
    json["thresholds"] = options.thresholds.empty() ? usual_thresholds : options.thresholds;
    json["charges"] = p.hcp.charges;
    if (p.parts) {
      json["groups"] = p.parts->count(1);
      json["subunits"] = p.parts->count(2);
    }
  }
  json["zero"] = describe_zero(p, work.total);
  return json;
}

}  // namespace isolume::cli
