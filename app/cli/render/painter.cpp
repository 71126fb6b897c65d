// Scenes into pictures, without a window.
#include "app/cli/render/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/documents/frames.h"
#include "app/fields/scene_request.h"
#include "app/scene/named_selections.h"
#include "app/view/picture_texts.h"
#include "app/view/representation_colours.h"
#include "compute/base/device_fault.h"
#include "compute/base/host_memory.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "render/gl/context_loss.h"

namespace isolume::cli {
namespace {

bool same_result(const FieldRequest& a, const FieldRequest& b) {
  return a.field == b.field && a.molecule == b.molecule && a.frame == b.frame && a.map.volume == b.map.volume &&
         a.zone_molecule == b.zone_molecule && a.minus.same(b.minus);
}

}  // namespace

Painter::Painter(Documents& documents, Device device) : documents_(documents), device_(device), builder_(documents) {
  open();
}

Painter::~Painter() {
  close();
}

void Painter::open() {
  context_ = create_egl_context();
  context_->make_current();
  gl_ = gl_info();
  share_ = create_gl_share(device_);
  renderer_ = std::make_unique<TiledRenderer>();
}

void Painter::close() {
  // Whatever holds OpenGL names goes while the context is current.
  results_.clear();
  requests_.clear();
  memory_.clear();
  path_.reset();
  renderer_.reset();
  share_.reset();
  if (context_) context_->done_current();
  context_.reset();
}

Image Painter::paint(const Scene& scene, const PictureOptions& options, Job& job) {
  const std::size_t pictures = field_seconds_.size();
  try {
    return paint_here(scene, options, job);
  } catch (const ContextLost& loss) {
    loss_ = loss.what();
  }
  close();
  field_seconds_.resize(pictures);
  draw_seconds_.resize(pictures);
  open();
  return paint_here(scene, options, job);
}

Image Painter::paint_here(const Scene& scene, const PictureOptions& options, Job& job) {
  field_seconds_.push_back(0);
  const DrawnBytes picture = options.path_traced ? DrawnBytes{} : predict_picture(options, scene.look);
  const std::size_t layers = picture.host(gl_.software), limit = memory_limit();
  if (limit != 0 && layers > limit)
    throw Error(
        fmt::format("a picture of {} x {} pixels: needs {} while it is drawn, more than the memory limit of {}: "
                    "raise the limit, or make it smaller (--size)",
                    options.width, options.height, bytes_in_words(layers), bytes_in_words(limit)));
  compute(scene, job);
  const auto begin = std::chrono::steady_clock::now();
  begin_resident_part();
  builder_.expect(picture, gl_.software);
  const SceneView view = builder_.build(scene, results_, &job);
  blank_ = view.items.empty() && view.labels.empty();
  if (options.legends_only) {
    blank_ = false;
    draw_seconds_.push_back(0);
    return legend_picture(options, scene.look, legends_by_tile(scene, results_, view));
  }
  Image image = draw(view, options, job);
  draw_seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  const auto covered = options.path_traced ? path_->covered_labels(view) : renderer_->covered_labels(view);
  write_texts(image, view, options, covered, legends_by_tile(scene, results_, view));
  // The driver's own programs, which are not part of the limit, are reported as well.
  constexpr std::size_t programs = std::size_t{48} << 20;
  const bool traced_here = options.path_traced && !device_.is_cuda();
  drawing_predicted_ =
      std::max(drawing_predicted_, layers + builder_.predicted() + (traced_here ? path_->report().bytes : 0) +
                                       (gl_.software ? programs : std::size_t{0}));
  drawing_peak_ = std::max(drawing_peak_, resident_part_peak());
  return image;
}

Image Painter::draw(const SceneView& view, const PictureOptions& options, Job& job) {
  if (options.path_traced) {
    if (!path_) path_ = std::make_unique<PathPainter>(device_);
    return path_->picture(view, options, job);
  }
  drawn_ = 0;
  renderer_->set_progress([this](double part) { drawn_ = part; });
  renderer_->set_stop([this, &job] {  // asked several times a sample, so that a bar is there soon
    job.progress(drawn_, "drawing the picture");
    return job.cancelled();
  });
  return renderer_->picture(view, options);
}

void Painter::compute(const Scene& given, Job& job) {
  const Scene scene = with_names(given);
  results_.resize(scene.fields.size());
  requests_.resize(scene.fields.size());
  predicted_ = 0;
  for (std::size_t i = 0; i < scene.fields.size(); ++i) {
    const Field& field = scene.fields[i];
    const SceneMolecule& entry = scene.molecules[field.molecule];
    if (!field.visible || !entry.visible) {
      results_[i] = {};
      requests_[i] = {};
      continue;
    }
    FieldRequest request;
    try {
      job.check();
      check_memory_taken("the fields");
      with_names(given, field.molecule, given.fields[i].selection);  // reports unknown names
      request = scene_request(scene, i, documents_, device_);
      if (!requests_[i].molecule || !same_result(requests_[i], request)) {
        results_[i] = compute_field(request, share_.get(), job, &memory_);
        field_seconds_.back() += results_[i].seconds;
        host_bytes_ += results_[i].host_bytes;
      }
      predicted_ += results_[i].predicted_bytes;
    } catch (const DeviceFault&) {
      throw;  // its type says that another device may do
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::cancelled) throw;
      // Which one matters where there are several.
      if (scene.fields.size() == 1) throw;
      throw Error(fmt::format("fields[{}]: {}", i, error.what()), error.kind());
    }
    requests_[i] = std::move(request);
  }
}

void note_blank(Run& run, const Painter& painter, const Scene& scene) {
  if (!painter.loss().empty()) run.say("note: the picture was drawn again: " + painter.loss());
  if (!painter.blank()) return;
  std::string styles;
  for (const Representation& representation : scene.representations)
    if (representation.visible && styles.find(name(representation.style)) == std::string::npos)
      styles += fmt::format("{}{}", styles.empty() ? "" : ", ", name(representation.style));
  run.say(
      fmt::format("note: the picture is empty{}: cartoon, tube and trace need chains of two residues or more, "
                  "hydrogen bonds and vectors what they show; --style sticks draws every atom",
                  styles.empty() ? "" : fmt::format(", of these atoms nothing is drawn as {}", styles)));
}

void report_memory(Run& run, const Painter& painter) {
  const bool on_host = !run.device.is_cuda();
  run.report.memory(painter.predicted() + (on_host ? painter.drawing_predicted() : 0), peak_memory(run.device));
  run.report.result["drawing_memory"] = {{"predicted", painter.drawing_predicted()}, {"peak", painter.drawing_peak()}};
}

void note_memory_taken(Run& run) {
  const std::size_t limit = memory_limit(), taken = resident_peak();
  if (limit == 0 || taken <= limit) return;
  run.say(
      fmt::format("note: {} were taken beyond the program itself, more than --memory-limit ({}), which does not bind "
                  "files that are held and the programs of the graphics driver",
                  bytes_in_words(taken), bytes_in_words(limit)));
}

}  // namespace isolume::cli
