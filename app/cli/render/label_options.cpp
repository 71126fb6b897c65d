// The labels of a picture on the command line.
#include "app/cli/render/label_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/scene/named_selections.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

LabelSet set_of(const std::string& selection, const std::string& text) {
  constexpr std::array words{"residue", "chain", "atom", "element", "charge"};  // in the order of LabelSet::Text
  LabelSet set;
  set.selection = selection;
  const auto word = std::find(words.begin(), words.end(), text);
  set.text = static_cast<LabelSet::Text>(word - words.begin());
  if (word == words.end()) set.own = text;
  return set;
}

}  // namespace

void add_labels(Scene& scene, Documents& documents, const std::vector<std::string>& selections,
                const std::vector<std::string>& texts) {
  if (!texts.empty() && texts.size() != 1 && texts.size() != selections.size())
    throw Error(fmt::format("--label-text: {} texts for {} --label; give one for all, or one for each", texts.size(),
                            selections.size()),
                Error::Kind::usage);
  if (selections.empty() && !texts.empty())
    throw Error("--label-text says what --label writes: --label SELECTION is missing", Error::Kind::usage);
  for (std::size_t i = 0; i < selections.size(); ++i) {
    LabelSet set = set_of(selections[i], texts.empty() ? "residue" : texts[texts.size() == 1 ? 0 : i]);
    bool any = false;
    std::string message;
    for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
      const auto molecule = documents.molecule(scene.molecules[m]);
      if (!molecule->topology || molecule->frame_count() == 0) continue;
      const Selection selection(with_names(scene, m, selections[i]));
      const Frame frame = selection.depends_on_positions() ? frame_at(*molecule, scene.frame) : Frame{};
      if (selection.atoms(*molecule->topology, frame).empty()) {
        if (message.empty()) message = empty_selection(selections[i], *molecule->topology);
        continue;
      }
      set.molecule = m;
      scene.labels.push_back(set);
      any = true;
    }
    if (!any)
      throw Error("--label: " + (message.empty() ? "no molecule has atoms with positions" : message),
                  Error::Kind::usage);
  }
}

}  // namespace isolume::cli
