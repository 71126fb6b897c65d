// The potential and the field at probes of a molecule, frame by frame, split by residues or chains.
#include "compute/over_time/probing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

#include "compute/analysis/analysis.h"
#include "compute/base/job_part.h"
#include "compute/electrostatics/potential_grid.h"
#include "compute/over_time/frame_pipeline.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/frames.h"

namespace isolume {
namespace {

constexpr std::size_t along_bond = 4;  // among the numbers of a share

}  // namespace

void check_contributions(const PotentialOptions& method) {
  if (const auto* pb = std::get_if<PoissonBoltzmannOptions>(&method)) return check_shares(*pb);
  if (!adds_up(method_of(method)))
    throw Error("contributions add up for direct, cutoff, msm, spme, debye-hueckel, hcp and pb; gb has energies alone",
                Error::Kind::usage);
}

double choose_parameters(ProbeRequest& request, double accuracy) {
  if (!has_accuracy(request.method) || request.places.empty()) return 0;
  const Frame first = whole_frame(*request.molecule, request.frame);
  const glm::dvec3 at = point_of(request.places.front(), first) - request.charges.origin;
  return choose_parameters(accuracy, request.charges.spheres, Grid{at, glm::dmat3(1.0), glm::ivec3(1)}, Device::cpu(),
                           request.method);
}

Probing::Probing(ProbeRequest request)
    : request_(std::move(request)),
      alignment_(*request_.molecule, request_.align, request_.frame),
      groups_(share_groups(*request_.molecule, request_.charges.atoms, request_.by, request_.frame)),
      charge_groups_(groups_.of, groups_.names.size()) {
  check_contributions(request_.method);
  if (request_.gradient && !has_gradients(request_.method))
    throw Error("the gradient of the field is there for direct, with one dielectric constant, and debye-hueckel",
                Error::Kind::usage);
  if (request_.gathers) solvent_ = solvent_residues(*request_.molecule, request_.frame);
}

bool Probing::have_bonds() const {
  return std::any_of(places().begin(), places().end(), [](const ProbePlace& place) { return place.bond; });
}

std::size_t Probing::ahead() const {
  if (std::holds_alternative<PoissonBoltzmannOptions>(request_.method)) return 1;
  return 4 * static_cast<std::size_t>(std::max(1, thread_count()));
}

ProbeShares Probing::shares_of(std::size_t index, Job& job) const {
  const Molecule& molecule = *request_.molecule;
  Frame frame = whole_frame(molecule, index);
  const auto [motion, rmsd] = alignment_.motion(frame, index);
  gather_residues(frame, *molecule.topology, solvent_, middle_of(frame, alignment_.atoms()));
  move_positions(frame, motion);
  std::vector<ChargedSphere> spheres = request_.charges.spheres;
  const glm::dvec3 origin = request_.charges.origin;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    spheres[i].position = glm::vec3(precise_position(frame, request_.charges.atoms[i]) - origin);
  PotentialOptions method = request_.method;
  if (is_periodic(method)) {
    if (!frame.cell.exists())
      throw Error(fmt::format("frame {} has no cell, which a periodic method needs", index), Error::Kind::input);
    set_cell(method, frame.cell);
  }
  std::vector<glm::dvec3> points;
  for (const ProbePlace& place : places()) points.push_back(point_of(place, frame) - origin);
  ProbeShares result;
  result.values.resize(rows() * numbers());
  result.rmsd = rmsd;
  std::vector<GroupShare> shares(points.size() * group_count()), totals;
  std::vector<FieldGradient> gradients(request_.gradient ? shares.size() : 0);
  JobPart part(job);
  if (const auto* pb = std::get_if<PoissonBoltzmannOptions>(&method)) {
    const Grid grid = solution_grid(spheres, points, request_.spacing);
    PoissonBoltzmannShares solved = poisson_boltzmann_shares(spheres, charge_groups_, grid, *pb, points, part);
    shares = std::move(solved.shares);
    totals = std::move(solved.totals);
    result.error = *std::max_element(solved.errors.begin(), solved.errors.end());
    result.solutions = solved.solutions;
    result.by_reciprocity = solved.by_reciprocity;
    result.solved = std::move(solved.solved);
  } else {
    group_potentials(spheres, charge_groups_, method, points, shares, part, request_.device, gradients);
  }
  double* out = result.values.data();
  for (std::size_t p = 0; p < points.size(); ++p) {
    const glm::dvec3 along = direction_of(places()[p], frame);
    GroupShare sum;
    FieldGradient slope{};
    for (std::size_t g = 0; g <= group_count(); ++g, out += numbers()) {
      GroupShare share = sum;
      for (std::size_t n = 0; n < gradient_numbers && request_.gradient; ++n) {
        const double own = g < group_count() ? gradients[p * group_count() + g][n] : slope[n];
        slope[n] += own;
        out[share_numbers + n] = own * request_.factor;
      }
      if (g < group_count()) {
        share = shares[p * group_count() + g];
        sum.potential += share.potential;
        sum.field += share.field;
      } else if (!totals.empty()) {  // of all charges in one solution
        result.apart = std::max(result.apart, std::abs(totals[p].potential - sum.potential));
        share = totals[p];
      }
      const double values[] = {share.potential, share.field.x, share.field.y, share.field.z,
                               glm::dot(share.field, along)};
      for (std::size_t n = 0; n < share_numbers; ++n) out[n] = values[n] * request_.factor;
    }
  }
  return result;
}

ProbeSeries probe_series(const Probing& probing, std::vector<std::size_t> frames, std::size_t most_bytes, Job& job) {
  const std::size_t probes = probing.places().size(), groups = probing.group_count();
  ProbeSeries series;
  series.frames = std::move(frames);
  const std::size_t count = series.frames.size();
  const std::size_t numbers = probing.numbers();
  series.totals.reserve(count * probes * numbers);
  const bool all = groups == 0 || count * probes <= most_bytes / sizeof(float) / groups;
  if (all) series.shares.reserve(count * probes * groups);
  const auto make = [&](std::size_t i) { return probing.shares_of(series.frames[i], job); };
  const auto take = [&](std::size_t i, const ProbeShares& found) {
    for (std::size_t p = 0; p < probes; ++p) {
      const double* values = found.values.data() + p * (groups + 1) * numbers;
      for (std::size_t g = 0; all && g < groups; ++g) series.shares.push_back(static_cast<float>(values[g * numbers]));
      series.totals.insert(series.totals.end(), values + groups * numbers, values + (groups + 1) * numbers);
    }
    series.apart = std::max(series.apart, found.apart);
    series.error = std::max(series.error, found.error);
    job.progress(static_cast<double>(i + 1) / static_cast<double>(count), "probes");
  };
  in_order(count, probing.ahead(), job, make, take);
  return series;
}

std::string probe_heading(const Probing& probing, const std::string& unit, bool errors) {
  constexpr const char* names[] = {"potential",        "field x",     "field y",     "field z",
                                   "field along bond", "gradient xx", "gradient yy", "gradient zz",
                                   "gradient xy",      "gradient xz", "gradient yz"};
  std::string text = errors ? "probe,group" : "frame,probe,group";
  for (std::size_t n = 0; n < probing.numbers(); ++n) {
    if (n == along_bond && !probing.have_bonds()) continue;
    const std::string own = unit + (n == 0 ? "" : n < share_numbers ? "/A" : "/A^2");
    text += fmt::format(",{} ({})", names[n], own);
    if (errors) text += fmt::format(",standard error ({})", own);
  }
  return text + "\n";
}

std::vector<ProbeColumn> probe_columns(const Probing& probing, std::size_t probe) {
  std::vector<ProbeColumn> columns;
  for (std::size_t n = 0; n < probing.numbers(); ++n)
    if (n != along_bond || probing.have_bonds())
      columns.push_back({n, n != along_bond || probing.places()[probe].bond});
  return columns;
}

FieldGradient gradient_of(const double* numbers) {
  FieldGradient gradient;
  std::copy_n(numbers + share_numbers, gradient_numbers, gradient.begin());
  return gradient;
}

std::string probe_lines(const Probing& probing, std::size_t frame, const std::vector<double>& values, bool total) {
  std::string text;
  auto out = std::back_inserter(text);
  const std::size_t groups = probing.group_count();
  for (std::size_t p = 0; p < probing.places().size(); ++p) {
    const std::vector<ProbeColumn> columns = probe_columns(probing, p);
    for (std::size_t g = total ? groups : 0; g <= groups; ++g) {
      const double* v = values.data() + (p * (groups + 1) + g) * probing.numbers();
      fmt::format_to(out, "{},{},{}", frame, csv_field(probing.places()[p].name), csv_field(probing.group_name(g)));
      for (const ProbeColumn& column : columns) {
        text += ',';
        if (column.there) fmt::format_to(out, "{:.9g}", v[column.number]);
      }
      text += '\n';
    }
  }
  return text;
}

void write_probe_table(std::ostream& out, const Probing& probing, const std::string& unit, Job& job) {
  out << probe_heading(probing, unit, false);
  const std::size_t count = probing.request().molecule->frame_count();
  const auto make = [&](std::size_t f) { return probe_lines(probing, f, probing.shares_of(f, job).values, false); };
  const auto take = [&](std::size_t f, const std::string& lines) {
    out << lines;
    job.progress(static_cast<double>(f + 1) / static_cast<double>(count), "probes");
  };
  in_order(count, probing.ahead(), job, make, take);
}

}  // namespace isolume
