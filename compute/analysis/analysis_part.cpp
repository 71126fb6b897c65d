// Analyses in parts: the data kept by all kinds.
#include "compute/analysis/analysis_part.h"

#include <fmt/format.h>

#include "compute/analysis/analysis_parts.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr const char* fact_word = "fact ";
constexpr const char* note_word = "note ";

struct Kind {
  FramePart (*part)(const AnalysisRequest&, Job&);
  AnalysisTable (*table)(const FramePart&, Job&);
};

Kind kind_of(AnalysisKind kind) {
  switch (kind) {
    case AnalysisKind::rmsf:
      return {analysis::rmsf_part, analysis::rmsf_table};
    case AnalysisKind::rdf:
      return {analysis::rdf_part, analysis::rdf_table};
    case AnalysisKind::contact_map:
      return {analysis::contact_map_part, analysis::contact_map_table};
    default:
      return {analysis::over_frames_part, analysis::over_frames_table};
  }
}

}  // namespace

FramePart analysis::begin_part(const AnalysisRequest& request, const AnalysisTable& table) {
  FramePart part;
  part.kind = name(request.kind);
  part.frames.assign(request.frames.begin(), request.frames.end());
  part.fixed = {{"selection", table.selection}, {"other selection", table.other}};
  for (const auto& [fact, text] : table.facts) part.fixed.emplace_back(fact_word + fact, text);
  for (std::size_t i = 0; i < table.notes.size(); ++i)
    part.fixed.emplace_back(note_word + std::to_string(i + 1), table.notes[i]);
  return part;
}

AnalysisTable analysis::begin_table(const FramePart& part) {
  AnalysisTable table;
  table.selection = part.text("selection");
  table.other = part.text("other selection");
  for (const auto& [name, text] : part.fixed) {
    if (name.starts_with(fact_word)) table.facts.emplace_back(name.substr(5), text);
    if (name.starts_with(note_word)) table.notes.push_back(text);
  }
  return table;
}

std::string analysis::joined_texts(const std::vector<std::string>& texts) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) all += '\t';
    for (const char c : texts[i]) all += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return all;
}

std::vector<std::string> analysis::split_texts(const std::string& text) {
  std::vector<std::string> texts(1);
  for (const char c : text) {
    if (c == '\t') {
      texts.emplace_back();
    } else {
      texts.back() += c;
    }
  }
  return texts;
}

FramePart analyse_part(const AnalysisRequest& request, Job& job) {
  check_request(request);
  for (std::size_t i = 1; i < request.frames.size(); ++i)
    if (request.frames[i - 1] >= request.frames[i])
      throw Error(
          fmt::format("the frames of a part ascend, and frame {} follows {}", request.frames[i], request.frames[i - 1]),
          Error::Kind::usage);
  return kind_of(request.kind).part(request, job);
}

AnalysisTable table_of(const FramePart& part, AnalysisKind kind, Job& job) {
  if (part.frames.empty()) throw Error("the part has no frames yet", Error::Kind::input);
  return kind_of(kind).table(part, job);
}

AnalysisKind analysis_kind(const std::string& word) {
  for (int i = 0; i < analysis_kinds; ++i)
    if (word == name(static_cast<AnalysisKind>(i))) return static_cast<AnalysisKind>(i);
  throw Error(fmt::format("no analysis is called '{}'", word), Error::Kind::input);
}

}  // namespace isolume
