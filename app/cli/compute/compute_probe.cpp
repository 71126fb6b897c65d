// isolume compute probe: the potential and the field at points, atoms or bonds, and each residue's share.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "app/cli/compute/potential_at_points.h"
#include "app/cli/compute/potential_work.h"
#include "app/cli/compute/probe_places.h"
#include "app/cli/over_time/line_run.h"
#include "app/cli/over_time/over_time.h"
#include "app/cli/over_time/part_origin.h"
#include "compute/analysis/analysis.h"
#include "compute/base/job_part.h"
#include "compute/over_time/frame_alignment.h"
#include "compute/over_time/frame_pipeline.h"
#include "compute/over_time/group_potential.h"
#include "compute/over_time/poisson_boltzmann_shares.h"
#include "compute/over_time/running_statistics.h"
#include "formats/bytes/left_out.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  GridOptions files;  // of it: files and the frame of the alignment
  MethodOptions method;
  ProbeChoice probes;
  std::string by = "residue", frames, align, selection = "all", cell, out, mean_out, partial;
  bool total = false;
};

constexpr std::size_t numbers = 5;  // of a share: V, E, and E along the bond

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
  refuse(!pb && !adds_up(method_of(method)),
         "--method: contributions add up for direct, cutoff, msm, spme, debye-hueckel and pb; hcp's parts are of all "
         "charges, and gb has energies alone");
  if (pb) check_shares(*pb);
  refuse(!pb && o.files.spacing > 0, "--spacing is of the grid on which pb is solved");
  refuse(o.method.tolerance > 0, "--tolerance is for maps; --accuracy chooses the parameters of msm and spme");
}

// All of a frame: for each probe the shares of the groups and their sum.
struct FrameShares {
  std::vector<double> values;  // [probe][group or the sum][number]
  double rmsd = 0;
  /// Of pb: the largest difference between a total and the sum of its shares, and the largest estimated error; V.
  double apart = 0, error = 0;
  std::size_t solutions = 0;
  bool by_reciprocity = false;
};

class Probing {
 public:
  Probing(Run& run, const Options& options, PotentialWork& work)
      : run_(run),
        work_(work),
        spacing_(options.files.spacing),
        device_(groups_on_device(work.potential, run.device) ? run.device : Device::cpu()),
        alignment_(*work.molecule, options.align, work.frame),
        probes_(*work.molecule, options.probes, work.frame),
        names_(group_names(*work.molecule, work.charges.atoms, options.by, work.frame, groups_of_)),
        groups_(groups_of_, names_.size()) {
    for (std::size_t g = 0; g <= names_.size(); ++g) quoted_.push_back(csv_field(group_name(g)));
    // A sum without images is that of a cluster about the aligned atoms.
    if (!options.align.empty() && options.cell.empty() && !is_periodic(work.potential))
      solvent_ = solvent_residues(*work.molecule, work.frame);
  }

  std::size_t rows() const { return probes_.size() * (names_.size() + 1); }
  std::size_t groups() const { return names_.size(); }
  const ProbePlaces& probes() const { return probes_; }
  const FrameAlignment& alignment() const { return alignment_; }
  Device device() const { return device_; }
  /// How many frames are worked on at a time: solutions of pb use all threads themselves, and much memory.
  std::size_t ahead() const {
    if (std::holds_alternative<PoissonBoltzmannOptions>(work_.potential)) return 1;
    return 4 * static_cast<std::size_t>(std::max(1, thread_count()));
  }
  std::string group_name(std::size_t g) const { return g < names_.size() ? names_[g] : "total"; }
  /// The same as a field of a table.
  const std::string& quoted_name(std::size_t g) const { return quoted_[g]; }

  FrameShares shares_of(std::size_t index) const {
    Frame frame = whole_frame(*work_.molecule, index);
    const auto [motion, rmsd] = alignment_.motion(frame, index);
    gather_residues(frame, *work_.molecule->topology, solvent_, middle_of(frame, alignment_.atoms()));
    move_positions(frame, motion);
    std::vector<ChargedSphere> spheres = work_.charges.spheres;
    const glm::dvec3 origin = work_.charges.origin;
    for (std::size_t i = 0; i < spheres.size(); ++i)
      spheres[i].position = glm::vec3(precise_position(frame, work_.charges.atoms[i]) - origin);
    PotentialOptions method = work_.potential;
    if (is_periodic(method)) {
      if (!frame.cell.exists())
        throw Error(fmt::format("frame {} has no cell, which --periodic needs", index), Error::Kind::input);
      set_cell(method, frame.cell);
    }
    std::vector<glm::dvec3> points = probes_.points(frame);
    for (glm::dvec3& point : points) point -= origin;
    FrameShares result;
    result.values.resize(rows() * numbers);
    result.rmsd = rmsd;
    std::vector<GroupShare> shares(points.size() * names_.size()), totals;
    if (const auto* pb = std::get_if<PoissonBoltzmannOptions>(&method)) {
      const Grid grid = grid_around(spheres, points, spacing_);
      JobPart part(run_.job());
      PoissonBoltzmannShares solved = poisson_boltzmann_shares(spheres, groups_, grid, *pb, points, part);
      shares = std::move(solved.shares);
      totals = std::move(solved.totals);
      result.error = *std::max_element(solved.errors.begin(), solved.errors.end());
      result.solutions = solved.solutions;
      result.by_reciprocity = solved.by_reciprocity;
      work_.room.solved = std::move(solved.solved);  // for the report; frames of pb are one after another
    } else {
      JobPart part(run_.job());
      group_potentials(spheres, groups_, method, points, shares, part, device_);
    }
    double* out = result.values.data();
    for (std::size_t p = 0; p < points.size(); ++p) {
      const glm::dvec3 along = probes_.direction(p, frame);
      GroupShare sum;
      for (std::size_t g = 0; g <= names_.size(); ++g, out += numbers) {
        GroupShare share = sum;
        if (g < names_.size()) {
          share = shares[p * names_.size() + g];
          sum.potential += share.potential;
          sum.field += share.field;
        } else if (!totals.empty()) {  // of all charges in one solution
          result.apart = std::max(result.apart, std::abs(totals[p].potential - sum.potential));
          share = totals[p];
        }
        const double values[] = {share.potential, share.field.x, share.field.y, share.field.z,
                                 glm::dot(share.field, along)};
        for (std::size_t n = 0; n < numbers; ++n) out[n] = values[n] * work_.factor;
      }
    }
    return result;
  }

 private:
  Run& run_;
  PotentialWork& work_;
  double spacing_ = 0;  // angstrom, of pb
  Device device_;
  FrameAlignment alignment_;
  ProbePlaces probes_;
  std::vector<std::uint32_t> groups_of_, solvent_;
  std::vector<std::string> names_, quoted_;
  ChargeGroups groups_;
};

// The rows of one frame as text.
std::string lines_of(const Probing& probing, std::size_t frame, const std::vector<double>& values, bool total) {
  // Tables have millions of lines: names are quoted once, and the format is read by the compiler.
  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  const std::size_t groups = probing.groups();
  const bool bonds = probing.probes().have_directions();
  for (std::size_t p = 0; p < probing.probes().size(); ++p) {
    const std::string head = fmt::format("{},{},", frame, csv_field(probing.probes().name(p)));
    for (std::size_t g = total ? groups : 0; g <= groups; ++g) {
      const double* v = values.data() + (p * (groups + 1) + g) * numbers;
      text.append(head);
      text.append(probing.quoted_name(g));
      fmt::format_to(out, FMT_COMPILE(",{:.9g},{:.9g},{:.9g},{:.9g}"), v[0], v[1], v[2], v[3]);
      if (bonds) fmt::format_to(out, FMT_COMPILE(",{:.9g}"), v[4]);
      text.push_back('\n');
    }
  }
  return fmt::to_string(text);
}

std::string heading(const std::string& unit, bool bonds, bool errors) {
  std::string text = errors ? "probe,group" : "frame,probe,group";
  const std::string field = unit + "/A";
  for (const char* name : {"potential", "field x", "field y", "field z", "field along bond"}) {
    if (!bonds && name == std::string("field along bond")) continue;
    const std::string& own = name == std::string("potential") ? unit : field;
    text += fmt::format(",{} ({})", name, own);
    if (errors) text += fmt::format(",standard error ({})", own);
  }
  return text + "\n";
}

void write_means(const std::string& path, const Probing& probing, const RunningStatistics& statistics,
                 const std::string& unit) {
  const bool bonds = probing.probes().have_directions();
  write_atomically(path, [&](std::ostream& out) {
    out << heading(unit, bonds, true);
    for (std::size_t p = 0; p < probing.probes().size(); ++p)
      for (std::size_t g = 0; g <= probing.groups(); ++g) {
        out << csv_field(probing.probes().name(p)) << ',' << csv_field(probing.group_name(g));
        for (std::size_t n = 0; n < (bonds ? numbers : numbers - 1); ++n) {
          const PointStatistics found = statistics.at((p * (probing.groups() + 1) + g) * numbers + n);
          out << fmt::format(",{:.9g},{:.3g}", found.mean, found.error.standard_error);
        }
        out << '\n';
      }
  });
}

void over_frames(Run& run, const Options& o, const Probing& probing, const std::vector<std::size_t>& frames) {
  RunningStatistics statistics(probing.rows() * numbers);
  double rmsd_sum = 0, rmsd_most = 0, apart = 0, error = 0;
  std::size_t solutions = 0, reciprocal = 0;
  struct Item {
    FrameShares shares;
    std::string text;
  };
  const auto go = [&](std::ostream* out) {
    if (out != nullptr) *out << heading(o.method.unit, probing.probes().have_directions(), false);
    const auto make = [&](std::size_t i) {
      Item item{probing.shares_of(frames[i]), {}};
      if (out != nullptr) item.text = lines_of(probing, frames[i], item.shares.values, o.total);
      return item;
    };
    const auto take = [&](std::size_t i, const Item& item) {
      statistics.add(std::span<const double>(item.shares.values), run.job());
      rmsd_sum += item.shares.rmsd;
      apart = std::max(apart, item.shares.apart);
      error = std::max(error, item.shares.error);
      solutions += item.shares.solutions;
      reciprocal += item.shares.by_reciprocity;
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
  for (std::size_t p = 0; p < probing.probes().size(); ++p) {
    const PointStatistics found = statistics.at((p * (probing.groups() + 1) + probing.groups()) * numbers);
    list.push_back({{"name", probing.probes().name(p)},
                    {"potential", found.mean},
                    {"standard_error", found.error.known() ? Json(found.error.standard_error) : Json(nullptr)},
                    {"inefficiency", found.error.known() ? Json(found.error.inefficiency) : Json(nullptr)}});
  }
  run.report.result["frames"] = frames.size();
  run.report.result["groups"] = probing.groups();
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
  const std::string head = heading(o.method.unit, probing.probes().have_directions(), false);
  run_line_parts(run, {o.partial, o.out, "probe", head, o.selection}, frames,
                 [&](std::span<const std::size_t> some, Job& job) {
                   std::vector<std::string> texts;
                   const auto make = [&](std::size_t i) {
                     return lines_of(probing, some[i], probing.shares_of(some[i]).values, o.total);
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
  const Probing probing(run, o, work);
  if (chooses_parameters(o.method)) {
    const Frame first = whole_frame(*work.molecule, work.frame);
    const Grid box{probing.probes().points(first).front() - work.charges.origin, glm::dmat3(1.0), glm::ivec3(1)};
    run.report.result["expected_relative_error"] =
        choose_parameters(chosen_accuracy(o.method), work.charges.spheres, box, Device::cpu(), work.potential);
  }
  run.report.method = method_json(o.method, work);
  run.report.method["by"] = o.by;
  run.report.unit = o.method.unit;
  run.report.phase("plan");
  if (!o.partial.empty()) return as_part(run, o, probing, frames);
  over_frames(run, o, probing, frames);
  if (work.room.solved.counts.x > 0) {  // what the last solution was
    run.report.method = method_json(o.method, work);
    run.report.method["by"] = o.by;
  }
  run.report.phase("write");
  run.say(fmt::format("{}: {} by {} of {} in {}, {}", o.out.empty() ? o.mean_out : o.out,
                      counted(probing.probes().size(), "probe"), counted(probing.groups(), "group"),
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
  add_partial_option(command, options->partial);
  add_method_options(command, options->method);
  command.option("--spacing", options->files.spacing, "pb: steps of the grid in angstrom (0.5, or by size)")
      .range(1e-3, 1e3)
      .type_name("A");
  command.option("--select", options->selection, "atoms whose charges count");
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
