// isolume compute probe: the potential and the field at points, atoms or bonds, and each residue's share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "app/cli/compute/potential_work.h"
#include "app/cli/compute/probe_places.h"
#include "app/cli/over_time/line_run.h"
#include "app/cli/over_time/over_time.h"
#include "app/cli/over_time/part_origin.h"
#include "compute/analysis/analysis.h"
#include "compute/over_time/frame_pipeline.h"
#include "compute/over_time/probing.h"
#include "compute/over_time/running_statistics.h"
#include "formats/bytes/left_out.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  GridOptions files;  // of it: files and the frame of the alignment
  MethodOptions method;
  ProbeChoice probes;
  std::string by = "residue", frames, align, selection = "all", cell, out, mean_out, partial;
  bool total = false, gradient = false;
};

void check(const Common& common, const Options& o) {
  const auto refuse = [](bool wrong, const char* text) {
    if (wrong) throw Error(text, Error::Kind::usage);
  };
  check_probe_choice(o.probes);
  refuse(!o.mean_out.empty() && !o.partial.empty(), "--partial keeps the lines of --out; --mean-out is of one run");
  check_part_path(o.partial);
  refuse(o.out.empty() && o.mean_out.empty() && o.partial.empty(), "--out is missing: where should the table go?");
  if (!o.out.empty()) check_output(o.out, "csv");
  if (!o.mean_out.empty()) check_output(o.mean_out, "csv");
  const PotentialOptions method = potential_options(o.method, Cell{glm::dmat3(1.0)});
  const auto* pb = std::get_if<PoissonBoltzmannOptions>(&method);
  refuse(common.device.starts_with("cuda") && !groups_on_device(method, Device::cuda()),
         "compute probe has a body for CUDA for the direct sum alone; by other methods it runs on the CPU");
  refuse(common.device.starts_with("cuda") && o.gradient, "--gradient is computed on the CPU");
  check_contributions(method);
  refuse(o.gradient && !has_gradients(method),
         "--gradient is there for --method direct, with one dielectric constant, and debye-hueckel");
  refuse(!pb && o.files.spacing > 0, "--spacing is of the grid on which pb is solved");
  refuse(o.method.tolerance > 0, "--tolerance is for maps; --accuracy chooses the parameters of msm and spme");
}

ShareBy share_by(const std::string& by) {
  return by == "chain" ? ShareBy::chain : by == "all" ? ShareBy::all : ShareBy::residue;
}

ProbeRequest request_of(const Run& run, const Options& o, const PotentialWork& work) {
  ProbeRequest request;
  request.molecule = work.molecule;
  request.charges = work.charges;
  request.method = work.potential;
  if (groups_on_device(work.potential, run.device)) request.device = run.device;
  request.places = probe_places(*work.molecule, o.probes, work.frame);
  request.by = share_by(o.by);
  request.frame = work.frame;
  request.align = o.align;
  // A sum without images is that of a cluster about the aligned atoms.
  request.gathers = !o.align.empty() && o.cell.empty() && !is_periodic(work.potential);
  request.spacing = o.files.spacing;
  request.factor = work.factor;
  request.gradient = o.gradient;
  return request;
}

void write_means(const std::string& path, const Probing& probing, const RunningStatistics& statistics,
                 const std::string& unit) {
  write_atomically(path, [&](std::ostream& out) {
    out << probe_heading(probing, unit, true);
    for (std::size_t p = 0; p < probing.places().size(); ++p)
      for (std::size_t g = 0; g <= probing.group_count(); ++g) {
        out << csv_field(probing.places()[p].name) << ',' << csv_field(probing.group_name(g));
        for (const ProbeColumn& column : probe_columns(probing, p)) {
          if (!column.there) {
            out << ",,";
            continue;
          }
          const PointStatistics found =
              statistics.at((p * (probing.group_count() + 1) + g) * probing.numbers() + column.number);
          out << fmt::format(",{:.9g},{:.3g}", found.mean, found.error.standard_error);
        }
        out << '\n';
      }
  });
}

void over_frames(Run& run, const Options& o, PotentialWork& work, const Probing& probing,
                 const std::vector<std::size_t>& frames) {
  RunningStatistics statistics(probing.rows() * probing.numbers());
  double rmsd_sum = 0, rmsd_most = 0, apart = 0, error = 0;
  std::size_t solutions = 0, reciprocal = 0;
  struct Item {
    ProbeShares shares;
    std::string text;
  };
  const auto go = [&](std::ostream* out) {
    if (out != nullptr) *out << probe_heading(probing, o.method.unit, false);
    const auto make = [&](std::size_t i) {
      Item item{probing.shares_of(frames[i], run.job()), {}};
      if (out != nullptr) item.text = probe_lines(probing, frames[i], item.shares.values, o.total);
      return item;
    };
    const auto take = [&](std::size_t i, const Item& item) {
      statistics.add(std::span<const double>(item.shares.values), run.job());
      rmsd_sum += item.shares.rmsd;
      apart = std::max(apart, item.shares.apart);
      error = std::max(error, item.shares.error);
      solutions += item.shares.solutions;
      reciprocal += item.shares.by_reciprocity;
      if (item.shares.solutions > 0) work.room.solved = item.shares.solved;  // for the report
      rmsd_most = std::max(rmsd_most, item.shares.rmsd);
      if (out != nullptr) *out << item.text;
      run.job().progress(static_cast<double>(i + 1) / static_cast<double>(frames.size()), "probes");
    };
    in_order(frames.size(), probing.ahead(), run.job(), make, take);
  };
  if (o.out.empty()) {
    go(nullptr);
  } else {
    write_atomically(o.out, [&](std::ostream& out) { go(&out); });
  }
  run.report.phase("compute");
  if (!o.mean_out.empty()) write_means(o.mean_out, probing, statistics, o.method.unit);
  Json list = Json::array();
  for (std::size_t p = 0; p < probing.places().size(); ++p) {
    const PointStatistics found =
        statistics.at((p * (probing.group_count() + 1) + probing.group_count()) * probing.numbers());
    list.push_back({{"name", probing.places()[p].name},
                    {"potential", found.mean},
                    {"standard_error", found.error.known() ? Json(found.error.standard_error) : Json(nullptr)},
                    {"inefficiency", found.error.known() ? Json(found.error.inefficiency) : Json(nullptr)}});
  }
  run.report.result["frames"] = frames.size();
  run.report.result["groups"] = probing.group_count();
  run.report.result["probes"] = list;
  if (solutions > 0) {
    const double factor = unit_factor(o.method);
    run.report.result["solutions"] = solutions;
    run.report.result["frames_by_reciprocity"] = reciprocal;
    run.report.result["contributions"] = {{"largest_difference_from_total", apart * factor},
                                          {"largest_estimated_error_of_total", error * factor}};
    run.say(
        fmt::format("{} of Poisson-Boltzmann ({}); sums of contributions are within {:.2g} {} of the totals, whose "
                    "estimated error is up to {:.2g} {}",
                    counted(solutions, "solution"),
                    reciprocal == frames.size() ? "unit charges at the probes, by reciprocity"
                    : reciprocal == 0           ? "each group alone"
                                                : "by reciprocity or each group alone",
                    apart * factor, o.method.unit, error * factor, o.method.unit));
  }
  run.report.result["alignment"] = {{"selection", o.align},
                                    {"atoms", probing.alignment().atoms().size()},
                                    {"reference_frame", probing.alignment().reference()},
                                    {"rmsd_mean", rmsd_sum / static_cast<double>(frames.size())},
                                    {"rmsd_max", rmsd_most}};
}

void as_part(Run& run, const Options& o, const Probing& probing, const std::vector<std::size_t>& frames) {
  const std::string head = probe_heading(probing, o.method.unit, false);
  run_line_parts(run, {o.partial, o.out, "probe", head, o.selection}, frames,
                 [&](std::span<const std::size_t> some, Job& job) {
                   std::vector<std::string> texts;
                   const auto make = [&](std::size_t i) {
                     return probe_lines(probing, some[i], probing.shares_of(some[i], job).values, o.total);
                   };
                   const auto take = [&](std::size_t i, const std::string& text) {
                     texts.push_back(text);
                     job.progress(static_cast<double>(i + 1) / static_cast<double>(some.size()), "probes");
                   };
                   in_order(some.size(), probing.ahead(), job, make, take);
                   return texts;
                 });
}

void run_probe(const Common& common, const Options& o) {
  check(common, o);
  // A GPU takes longer to start than the processor needs for the sums of a thousand frames: it is used where it is
  // named.
  Run run(common, common.device.starts_with("cuda"));
  for (const std::string& file : o.files.files) run.report.input(file);
  if (!o.probes.points.empty()) run.report.input(o.probes.points);
  PotentialWork work = read_charges(run, o.files, o.selection, {}, cell_treatment(o.cell));
  work.potential = potential_of(work, o.method);
  work.factor = unit_factor(o.method);
  set_radii(work.charges.spheres, o.method);
  require_same_atoms(*work.molecule, "a probe over frames");
  const std::vector<std::size_t> frames = parse_frames(o.frames.empty() ? ":" : o.frames, work.molecule->frame_count());
  if (frames.empty()) throw Error("--frames names no frame", Error::Kind::usage);
  run.report.phase("read");
  ProbeRequest request = request_of(run, o, work);
  if (chooses_parameters(o.method))
    run.report.result["expected_relative_error"] = choose_parameters(request, chosen_accuracy(o.method));
  work.potential = request.method;
  const Probing probing(std::move(request));
  run.report.method = method_json(o.method, work);
  run.report.method["by"] = o.by;
  run.report.unit = o.method.unit;
  run.report.phase("plan");
  if (!o.partial.empty()) return as_part(run, o, probing, frames);
  over_frames(run, o, work, probing, frames);
  if (work.room.solved.counts.x > 0) {  // what the last solution was
    run.report.method = method_json(o.method, work);
    run.report.method["by"] = o.by;
  }
  run.report.phase("write");
  run.say(fmt::format("{}: {} by {} of {} in {}, {}", o.out.empty() ? o.mean_out : o.out,
                      counted(probing.places().size(), "probe"), counted(probing.group_count(), "group"),
                      counted(work.charges.spheres.size(), "charge"), counted(frames.size(), "frame"),
                      describe(work.potential)));
  run.finish();
}

}  // namespace

void add_compute_probe(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "probe", "potential and field at points, atoms or bonds over frames, split by residues or chains",
      "isolume compute probe a.psf a.dcd --atoms 'resid 12 and name OG' --by residue --out probe.csv\n"
      "  isolume compute probe a.psf a.dcd --bonds 'resid 7 and name C O' --align 'name CA' --mean-out mean.csv",
      [&commands, options] { run_probe(commands.common, *options); });
  command.option("FILE", options->files.files, "a structure with charges, with its trajectory").required();
  add_probe_choice(command, options->probes);
  command.option("--by", options->by, "whose contributions: residue (waters and ions together by name), chain, all")
      .one_of({"residue", "chain", "all"});
  command.option("--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0 (default: all)");
  command.option("--frame", options->files.frame, "the frame of --align and of selections, from 0");
  command.option("--align", options->align, "superpose frames by these atoms; --points are in the frame of --frame");
  command.option("--out", options->out, "csv: a line for each frame, probe and group, and the total")
      .type_name("FILE")
      .writes();
  command.option("--mean-out", options->mean_out, "csv: means over the frames with their standard errors")
      .type_name("FILE")
      .writes();
  command.flag("--total", options->total, "the totals alone in --out");
  command.flag("--gradient", options->gradient,
               "also the gradient of the field, dE_a/dx_b: direct and debye-hueckel; yx, zx and zy are xy, xz and yz");
  add_partial_option(command, options->partial);
  add_method_options(command, options->method);
  command.option("--spacing", options->files.spacing, "pb: steps of the grid in angstrom (0.5, or by size)")
      .range(1e-3, 1e3)
      .type_name("A");
  command.option("--select", options->selection, "atoms whose charges count");
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
