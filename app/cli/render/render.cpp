// isolume render: files or a scene into pictures or a film.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/compute/surface_export.h"
#include "app/cli/interrupt.h"
#include "app/cli/made.h"
#include "app/cli/render/movie.h"
#include "app/cli/render/painter.h"
#include "app/cli/render/render_report.h"
#include "app/cli/render/scene_options.h"
#include "app/cli/render/shots.h"
#include "app/export/molviewspec_write.h"
#include "app/export/picture_file.h"
#include "app/export/picture_size.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/molviewspec.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "compute/trace/denoise.h"
#include "formats/bytes/input_files.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  SceneOptions scene;
  std::string out;
  std::string size = "1600x1200";
  std::string journal;
  double width_mm = 0, height_mm = 0, dots = 0;
  std::string renderer = "raster";
  bool denoise = false;
  int samples = 0;  ///< 0: 4, and 64 of a path-traced picture
  bool transparent = false;
  bool legends_only = false;
  bool resume = false;
  bool force = false;
  ShotOptions shots;
  double time_limit = 0;  ///< seconds
};

constexpr int largest_side = 32'768;  // pixels

/// --width-mm and --height-mm, or the width of --for, at --dpi; the other side in the shape of --size.
void size_on_paper(Options& options, PictureOptions& picture) {
  double wide = options.width_mm, high = options.height_mm;
  if (!options.journal.empty()) {
    const JournalSize& size = journal_size(options.journal);
    if (wide > 0) throw Error("--for names a width: leave out --width-mm", Error::Kind::usage);
    wide = size.width;
    if (options.dots == 0) options.dots = size.dots;
    if (high == 0) high = std::min(size.tallest, wide * picture.height / picture.width);
    if (high > size.tallest)
      throw Error(fmt::format("--height-mm {}: {} prints at most {} mm", high, size.name, size.tallest),
                  Error::Kind::usage);
  }
  if (wide == 0 && high == 0) return;
  if (options.dots == 0) options.dots = 300;
  if (wide == 0) wide = high * picture.width / picture.height;
  if (high == 0) high = wide * picture.height / picture.width;
  picture.width = pixels_of(wide, options.dots);
  picture.height = pixels_of(high, options.dots);
  if (std::min(picture.width, picture.height) < 1 || std::max(picture.width, picture.height) > largest_side)
    throw Error(fmt::format("{:g} x {:g} mm at {:g} dpi are {} x {} pixels; each side can have 1 to {}", wide, high,
                            options.dots, picture.width, picture.height, largest_side),
                Error::Kind::usage);
}

void set_samples(PictureOptions& picture, int samples) {
  picture.samples = samples > 0 ? samples : picture.path_traced ? 64 : 4;
  if (!picture.path_traced && picture.samples != 1 && picture.samples != 4 && picture.samples != 9 &&
      picture.samples != 16)
    throw Error(
        fmt::format("--samples {}: the rasteriser takes 1, 4, 9 or 16; any number goes with --renderer path", samples),
        Error::Kind::usage);
}

PictureOptions picture_options(Options& options) {
  PictureOptions picture;
  picture.path_traced = options.renderer == "path";
  set_samples(picture, options.samples);
  picture.denoise = options.denoise;
  if (options.denoise && !picture.path_traced) throw Error("--denoise goes with --renderer path", Error::Kind::usage);
  if (options.denoise && !denoiser_present()) throw Error("--denoise: " + denoiser_status());
  picture.transparent = options.transparent;
  const char* begin = options.size.data();
  const char* end = begin + options.size.size();
  const auto width = std::from_chars(begin, end, picture.width);
  const bool separated = width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X');
  const auto height = std::from_chars(separated ? width.ptr + 1 : end, end, picture.height);
  const bool too_large = width.ec == std::errc::result_out_of_range || height.ec == std::errc::result_out_of_range;
  const auto known = [](std::errc fault) { return fault == std::errc() || fault == std::errc::result_out_of_range; };
  if (!known(width.ec) || !separated || !known(height.ec) || height.ptr != end)
    throw Error(fmt::format("--size {}: expected WIDTHxHEIGHT in pixels, such as 1600x1200", options.size),
                Error::Kind::usage);
  if (too_large || std::max(picture.width, picture.height) > largest_side)
    throw Error(fmt::format("--size {}: more than {} pixels on a side", options.size, largest_side),
                Error::Kind::usage);
  if (std::min(picture.width, picture.height) < 1)
    throw Error(fmt::format("--size {}: a side needs at least one pixel", options.size), Error::Kind::usage);
  size_on_paper(options, picture);
  picture.dots = options.dots;
  return picture;
}

/// The folder next to a film in which its pictures wait until it is complete.
std::filesystem::path pictures_of_film(const std::string& film) {
  return film + ".pictures";
}

/// --out view.mvsj: the scene itself, for other programs.
void write_view(Run& run, Scene scene, Documents& documents, const Options& options) {
  if (!options.shots.frames.empty()) {
    const auto frames = parse_frames(options.shots.frames, std::max<std::size_t>(1, frame_count(scene, documents)));
    if (frames.size() != 1) throw Error("--frames: MolViewSpec shows one frame; give one", Error::Kind::usage);
    scene.frame = frames.front();
  }
  run.report.phase("read");
  const std::vector<std::string> left_out = write_molviewspec(options.out, scene, documents, final_folder(options.out));
  run.report.phase("write");
  run.report.method = {{"name", "render"}, {"scene", nlohmann::ordered_json::parse(scene_to_json(scene))}};
  run.report.result = {{"files", {options.out}}, {"left_out", left_out}};
  for (const std::string& what : left_out) run.say("note: MolViewSpec has no place for: " + what);
  run.say(
      fmt::format("{}: {} molecule{}", options.out, scene.molecules.size(), scene.molecules.size() == 1 ? "" : "s"));
  run.finish();
}

void run_render(const Common& common, Options options) {
  Interrupt::limit_time(options.time_limit);
  const bool layers = needs_layers(options.out);
  check_output(options.out, picture_extensions() + " " + movie_extensions() + " mvsj");
  PictureOptions picture = picture_options(options);
  picture.layers = layers;
  picture.vectors = holds_vectors(options.out);
  picture.legends_only = options.legends_only;
  if (options.legends_only && (layers || is_movie(options.out) || is_molviewspec(options.out)))
    throw Error("--only-legends: legends alone are written as PNG, SVG or PDF", Error::Kind::usage);
  const bool film = is_movie(options.out);
  check_shots(options.shots);
  Run run(common);
  require_memory_of_picture(picture);
  Documents documents;
  const Scene scene = scene_of(options.scene, documents, static_cast<double>(picture.width) / picture.height,
                               [&](const std::string& note) { run.say("note: " + note); });
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates}) {
      check_outputs({options.out, common.report}, *paths);
      for (const std::string& path : *paths) {
        if (!names_tables(path)) run.report.input(file_of(path));
      }
    }
  if (is_molviewspec(options.out)) return write_view(run, scene, documents, options);
  const Shots shots = plan_shots(options.shots, scene, frame_count(scene, documents), film);
  const std::vector<std::string> warnings =
      check_orbitals(run, shots.everything, documents, shots.frames(), options.force);
  run.report.phase("read");
  PictureOrigin origin{scene, picture, hash_files(scene)};
  std::optional<LaunchRecord> record(std::in_place);
  Painter painter(documents, run.device);
  run.report.phase("plan");
  std::unique_ptr<Movie> movie;
  if (film) {
    movie = std::make_unique<Movie>(options.out, picture.width, picture.height, shots.rate, picture.transparent);
  }
  const auto pictures = pictures_of_film(options.out);
  const bool keeps = film && options.resume;
  if (keeps) std::filesystem::create_directories(pictures);
  std::vector<std::string> written, kept;
  std::size_t reused = 0;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    run.job().check();
    if (i == timed_pictures) {
      run.report.kernels(record->entries());
      record.reset();
    }
    const double n = static_cast<double>(shots.size());
    run.progress.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n, shots.words(i));
    origin.scene = scene_of(scene, shots.pictures[i], shots.motion);
    const std::size_t number = shots.number(i);
    const std::string name = film ? (pictures / fmt::format("{:06}.png", number)).string()
                                  : numbered_name(options.out, number, shots.size() > 1);
    std::optional<Image> there = options.resume ? picture_of(name, origin) : std::nullopt;
    reused += there.has_value();
    const Image image = there ? std::move(*there) : painter.paint(origin.scene, picture, run.job());
    run.job().progress(1, "drawn");
    run.report.phase("compute");
    if ((!film || keeps) && !there) write_picture(name, image, origin);
    if (keeps) kept.push_back(name);
    if (movie) {
      movie->add(image);
    } else {
      written.push_back(name);
    }
    run.report.phase("write");
  }
  if (movie) {
    movie->finish();
    written.push_back(options.out);
    std::error_code none;  // what cannot be removed stays
    for (const std::string& name : kept) std::filesystem::remove(name, none);
    if (keeps) std::filesystem::remove(pictures, none);
    run.report.phase("write");
  }
  if (reused > 0) run.say(fmt::format("{} of {} pictures were there already", reused, shots.size()));
  if (record) run.report.kernels(record->entries());
  run.report.method = {{"name", "render"},
                       {"renderer", picture.path_traced ? "path" : "raster"},
                       {"samples", picture.samples},
                       {"denoised", picture.denoise},
                       {"transparent", picture.transparent},
                       {"scene", nlohmann::ordered_json::parse(scene_to_json(scene))}};
  report_fields(run.report, painter, static_cast<std::size_t>(picture.width), static_cast<std::size_t>(picture.height),
                written, shots.size());
  report_memory(run, painter);
  shots.report(run.report.result);
  if (!warnings.empty()) run.report.result["warnings"] = warnings;
  for (const FieldResult& result : painter.results())
    if (!result.summary.empty()) run.say(result.summary);
  run.say(fmt::format("{}{}: {} x {} pixels, {}", written.front(),
                      written.size() > 1 ? fmt::format(" to {}", written.back()) : "", picture.width, picture.height,
                      drawn_by(painter)));
  note_left_out(run, painter);
  note_blank(run, painter, scene);
  note_memory_taken(run);
  run.finish();
}

}  // namespace

void add_render(Commands& commands) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(commands.app, "render", "draw files or a scene as a picture, numbered pictures or a movie",
                   "isolume render crambin.pdb.gz --surface --out crambin.png\n"
                   "  isolume render protein.pqr --surface --colour-by potential --out potential.png\n"
                   "  isolume render water.molden --orbital homo-1 --set camera.height=8 --out water.png\n"
                   "  isolume render system.gro run.xtc --frames ::5 --style spheres --out run.mp4\n"
                   "  isolume render crambin.pdb.gz --turntable --seconds 8 --out turn.mp4\n"
                   "  isolume render story.isolume --keys --out story.mp4",
                   [&commands, options] { run_render(commands.common, *options); });
  add_scene_options(command, options->scene);
  command
      .option("--out", options->out,
              "pic.png; pic.svg or pic.pdf (texts and legends as vectors); pic.tif (16 bits) or pic.exr (linear), both "
              "with "
              "depth and objects; a movie through ffmpeg (mp4, webm, gif, apng); or view.mvsj (MolViewSpec, the scene "
              "for other programs)")
      .required()
      .type_name("FILE")
      .writes();
  command.option("--size", options->size, "pixels").type_name("WxH");
  std::vector<std::string> journals;
  for (const JournalSize& size : journal_sizes()) journals.emplace_back(size.key);
  command
      .option("--for", options->journal,
              fmt::format("the width and resolution that a journal prints: {}", fmt::join(journals, ", ")))
      .type_name("JOURNAL");
  command.option("--width-mm", options->width_mm, "width on paper, in the shape of --size; pixels follow from --dpi")
      .range(1.0, 5000.0)
      .type_name("MM");
  command.option("--height-mm", options->height_mm, "height on paper, where it is not to follow from the width")
      .range(1.0, 5000.0)
      .type_name("MM");
  command.option("--dpi", options->dots, "dots per inch, stored in the picture (300 with --width-mm)")
      .range(1.0, 10000.0)
      .type_name("DPI");
  command
      .option("--renderer", options->renderer,
              "raster (OpenGL), or path: path tracing with soft shadows and light between surfaces, on the CPU or CUDA")
      .one_of({"raster", "path"});
  command
      .option("--samples", options->samples,
              "samples per pixel: 1, 4, 9 or 16 (4); with --renderer path any number of paths (64)")
      .range(1, 65536);
  command.flag("--denoise", options->denoise,
               "with --renderer path: take the noise out by Open Image Denoise, where that is installed");
  command.flag("--transparent", options->transparent, "no background");
  command.flag("--only-legends", options->legends_only,
               "the legends alone, on a transparent background (png, svg, pdf)");
  add_frames_option(command, options->shots);
  command.flag("--resume", options->resume,
               "continue an earlier run: keep pictures of the same scene and files that exist; those of a movie are "
               "kept in MOVIE.pictures until it is complete");
  command.flag("--force", options->force, "also draw orbitals that fail the self-check of their file");
  command.option("--time-limit", options->time_limit, "give up after this many seconds, with exit code 1")
      .range(0.1, 1e6)
      .type_name("S");
  add_shot_options(command, options->shots);
}

}  // namespace isolume::cli
