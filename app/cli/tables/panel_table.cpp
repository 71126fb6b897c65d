// Tables of the window's panels: how they are written, in the window and again without one.
#include "app/cli/tables/panel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "app/cli/compute/npy.h"
#include "app/cli/quantum/mode_table.h"
#include "app/cli/quantum/state_list.h"
#include "app/cli/timeline/timeline_table.h"
#include "app/documents/documents.h"
#include "app/fields/probes/scene_probes.h"
#include "app/scene/path_part.h"
#include "compute/over_time/probing.h"
#include "formats/orbitals/vibrations.h"
#include "formats/write/output_file.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* timeline_words[] = {"rmsd", "rmsf", "structure", "sasa", "contacts", "potential", "correlation"};

bool is_array(const std::string& path) {
  return extension_of(path) == "npy";
}

void write_text(const std::string& path, const std::string& text) {
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

std::shared_ptr<const Molecule> molecule_of(const RecordedTable& table, std::size_t number = 0) {
  Documents documents;
  return documents.molecule(table.scene.molecules.at(number));
}

std::string file_of_entry(const RecordedTable& table) {
  return file_of(table.scene.molecules.at(1).paths.at(0));
}

std::vector<std::size_t> every(const Molecule& molecule, const Json& step) {
  std::vector<std::size_t> frames;
  const std::size_t by = std::max<std::size_t>(1, step.get<std::size_t>());
  for (std::size_t f = 0; f < molecule.frame_count(); f += by) frames.push_back(f);
  return frames;
}

void timeline_again(const RecordedTable& table, const std::string& path, Device device, Job& job) {
  const auto molecule = molecule_of(table);
  TimelineRequest request;
  const auto word = table.asked.at("kind").get<std::string>();
  const auto* const kind = std::ranges::find(timeline_words, std::string_view(word));
  if (kind == std::end(timeline_words)) throw Error("no timeline of this kind: " + word, Error::Kind::input);
  request.kind = static_cast<TimelineKind>(kind - std::begin(timeline_words));
  request.molecule = molecule.get();
  request.frames = every(*molecule, table.asked.at("step"));
  request.selection = table.asked.at("selection").get<std::string>();
  request.device = device;
  std::shared_ptr<const Molecule> with_map;
  if (request.kind == TimelineKind::correlation) {
    with_map = molecule_of(table, 1);
    request.map.map = with_map->volumes.at(table.asked.at("volume").get<std::size_t>()).get();
    request.map.resolution = table.asked.at("resolution").get<double>();
    request.map.model = usual_model_atoms(*molecule->topology, frame_at(*molecule, request.frames.front()));
  }
  write_line(timeline(request, job), *molecule->topology, request.kind == TimelineKind::structure, path);
}

void interactions_again(const RecordedTable& table, const std::string& path, Device /*device*/, Job& job) {
  InteractionTimelineRequest request;
  request.molecule = molecule_of(table);
  request.frames = every(*request.molecule, table.asked.at("step"));
  request.selection = table.asked.at("selection").get<std::string>();
  request.other = table.asked.at("other").get<std::string>();
  const auto kinds = table.asked.at("kinds").get<std::vector<std::string>>();
  for (int k = 0; k < interaction_kinds; ++k)
    request.kinds[static_cast<std::size_t>(k)] =
        std::ranges::find(kinds, name(static_cast<InteractionKind>(k))) != kinds.end();
  write_interaction_line(interaction_timeline(request, job), *request.molecule->topology, path);
}

void contacts_again(const RecordedTable& table, const std::string& path, Device /*device*/, Job& job) {
  AnalysisRequest request;
  request.molecule = molecule_of(table);
  request.selection = table.asked.at("selection").get<std::string>();
  request.cutoff = table.asked.at("cutoff").get<double>();
  request.apart = 1;
  const Topology& topology = *request.molecule->topology;
  const bool of_frame = !table.asked.at("frame").is_null();
  if (!of_frame) {
    request.frames.resize(request.molecule->frame_count());
    std::iota(request.frames.begin(), request.frames.end(), std::size_t{0});
    return write_contacts(residue_contacts(request, job), topology, false, path);
  }
  const Frame frame = frame_at(*request.molecule, table.asked.at("frame").get<std::size_t>());
  const auto atoms = Selection(request.selection).atoms(topology, frame);
  write_contacts(residue_distances(topology, frame, atoms, table.asked.at("range").get<double>(), job), topology, true,
                 path);
}

void modes_again(const RecordedTable& table, const std::string& path, Device /*device*/, Job& /*job*/) {
  const auto molecule = molecule_of(table);
  write_text(path, mode_table(read_vibrations(file_of_entry(table)), masses_of(*molecule), *molecule));
}

void states_again(const RecordedTable& table, const std::string& path, Device /*device*/, Job& job) {
  const auto fragments = table.asked.at("fragments").get<std::vector<std::string>>();
  write_text(path, state_list_table(state_list(*molecule_of(table), file_of_entry(table), fragments, job)));
}

void probes_again(const RecordedTable& table, const std::string& path, Device /*device*/, Job& job) {
  const auto number = table.asked.at("molecule").get<std::uint32_t>();
  const SceneProbing ready = ready_probes(table.scene, molecule_of(table, number), probes_of(table.scene, number));
  write_atomically(path, [&](std::ostream& out) { write_probe_table(out, *ready.probing, ready.unit, job); });
}

struct Kind {
  std::string_view of;
  void (*write)(const RecordedTable&, const std::string&, Device, Job&);
};
constexpr Kind kinds[] = {{"timeline", timeline_again}, {"interactions", interactions_again},
                          {"contacts", contacts_again}, {"modes", modes_again},
                          {"states", states_again},     {"probes", probes_again}};

}  // namespace

const char* timeline_word(TimelineKind kind) {
  return timeline_words[static_cast<std::size_t>(kind)];
}

void write_line(const Timeline& line, const Topology& topology, bool structure, const std::string& path) {
  if (is_array(path)) return write_npy(path, line.values, line.rows.size());
  write_text(path, timeline_table(line, topology, false, structure));
}

void write_interaction_line(const InteractionTimeline& line, const Topology& topology, const std::string& path) {
  if (!is_array(path)) return write_text(path, interaction_table(line, topology));
  std::vector<float> distances;
  for (const InteractionTimelineRow& row : line.rows)
    distances.insert(distances.end(), row.distances.begin(), row.distances.end());
  write_npy(path, distances, line.rows.size());
}

void write_contacts(const ResidueMatrix& matrix, const Topology& topology, bool of_frame, const std::string& path) {
  if (is_array(path)) return write_npy(path, matrix.values, matrix.residues.size());
  write_text(path, of_frame ? residue_table(matrix, topology, "distance (angstrom)", 3)
                            : residue_table(matrix, topology, "part of frames", 4));
}

void write_panel_table(const RecordedTable& table, const std::string& path, Device device, Job& job) {
  if (table.asked.is_null())
    throw Error(
        fmt::format("the panel {} of a window wrote it, which nothing else does: open its files in a window and "
                    "export it again",
                    table.panel),
        Error::Kind::usage);
  try {
    const auto of = table.asked.at("of").get<std::string>();
    const auto* const kind = std::ranges::find(kinds, std::string_view(of), &Kind::of);
    if (kind == std::end(kinds)) throw Error("no table that this version knows: " + of, Error::Kind::input);
    kind->write(table, path, device, job);
  } catch (const nlohmann::json::exception&) {
    throw Error("the record does not say what the table is of", Error::Kind::input);
  } catch (const std::out_of_range&) {
    throw Error("the record names a molecule, file or map that it does not have", Error::Kind::input);
  }
}

}  // namespace isolume::cli
