// isolume replay: draws a picture again from the scene that it carries, and makes other files by their records.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/remake.h"
#include "app/cli/render/painter.h"
#include "app/cli/render/render_report.h"
#include "app/cli/tables/panel_table.h"
#include "app/cli/trust.h"
#include "app/export/picture_file.h"
#include "compute/base/memory.h"
#include "formats/bytes/input_files.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  std::string picture;
  std::string out;
  bool force = false;
  bool trust = false;
};

void check_files(Run& run, const PictureOrigin& origin, bool force) {
  for (const FileHash& wanted : origin.files) {
    run.report.input(wanted.path);
    const FileHash found = hash_file(wanted.path);
    if (found.sha256 == wanted.sha256) continue;
    const std::string text =
        fmt::format("is not the file that the picture was made from ({} bytes, sha256 {}...; then {} bytes, {}...)",
                    found.bytes, found.sha256.substr(0, 12), wanted.bytes, wanted.sha256.substr(0, 12));
    if (!force) throw Error::in_file(wanted.path, 0, text + "; --force draws it all the same");
    run.say("note: " + wanted.path + ": " + text);
  }
}

void run_replay(const Common& common, const Options& options) {
  if (!carries_scene(options.picture)) {
    remake(common, {options.picture, options.out, options.force, options.trust, write_panel_table});
    return;
  }
  const bool layers = needs_layers(options.out);
  check_output(options.out, picture_extensions());
  Run run(common);
  PictureOrigin origin = read_origin(options.picture);
  origin.options.layers = layers;
  origin.options.vectors = holds_vectors(options.out);
  require_memory_of_picture(origin.options);
  require_trust(origin.scene, options.picture, options.trust);
  for (const SceneMolecule& molecule : origin.scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      check_outputs({options.out, common.report}, *paths);
  check_files(run, origin, options.force);
  run.report.phase("read");
  Documents documents;
  const LaunchRecord record;
  Painter painter(documents, run.device);
  const Image image = painter.paint(origin.scene, origin.options, run.job());
  run.report.kernels(record.entries());
  run.report.phase("compute");
  if (options.force) origin.files = hash_files(origin.scene);
  write_picture(options.out, image, origin);
  run.report.phase("write");
  run.report.method = {{"name", "replay"}, {"picture", options.picture}};
  run.report.result = {{"pictures", {options.out}}, {"renderer", painter.gl().renderer}, {"handover", painter.path()}};
  if (const PathReport* const path = painter.path_report()) run.report.result["path_tracing"] = json_of(*path);
  report_memory(run, painter);
  run.say(fmt::format("{}: {} x {} pixels", options.out, image.width, image.height));
  note_left_out(run, painter);
  note_memory_taken(run);
  run.finish();
}

}  // namespace

void add_replay(Commands& commands) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      commands.app, "replay", "make a file again: a picture from the scene that it carries, others by their records",
      "isolume replay figure.png --out again.png\n"
      "  isolume replay potential.dx --out again.dx",
      [&commands, options] { run_replay(commands.common, *options); });
  command
      .option("FILE", options->picture,
              "a picture (png, svg, pdf, tif, exr) that isolume wrote, or any other file of it with its "
              "NAME.made.json; the "
              "inputs must be there")
      .required();
  command
      .option("--out", options->out,
              "the file to write, with the same extension; pictures as png, svg, pdf, tif or exr")
      .required()
      .type_name("FILE")
      .writes();
  command.flag("--force", options->force, "replay even if the files have changed");
  add_trust_option(command, options->trust);
}

}  // namespace isolume::cli
