// Writing extended XYZ.
#include <fmt/format.h>

#include <iterator>

#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

class XyzWriter final : public TrajectoryWriter {
 public:
  XyzWriter(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : file_(path), atoms_(std::move(atoms)) {
    for (const std::uint32_t i : atoms_) {
      const Atom& atom = molecule.topology->atoms[i];
      std::string symbol = atom.element != 0 ? std::string(element(atom.element).symbol) : one_line(atom.name, 8);
      for (char& c : symbol) {
        if (c == ' ' || c == '\t') c = '_';
      }
      symbols_.push_back(symbol.empty() ? "X" : symbol);
    }
    title_ = one_line(molecule.title, 100);
  }

  void add(const Frame& frame) override {
    const bool precise = frame.precise_positions.size() == frame.positions.size();
    const int digits = precise ? 12 : 8;
    std::string text = fmt::format("{}\n{}\n", atoms_.size(), comment(frame));
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      const std::uint32_t i = atoms_[k];
      if (i >= frame.positions.size()) throw Error("a frame to be written has too few positions");
      const glm::dvec3 p = precise ? frame.precise_positions[i] : glm::dvec3(frame.positions[i]);
      fmt::format_to(std::back_inserter(text), "{0:<3} {1:{4}.{5}f} {2:{4}.{5}f} {3:{4}.{5}f}\n", symbols_[k], p.x, p.y,
                     p.z, digits + 6, digits);
    }
    file_.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  }

  void finish() override { file_.finish(); }

 private:
  /// The keys of extended XYZ where the frame has a cell, else the title.
  std::string comment(const Frame& frame) const {
    std::string text;
    if (frame.cell.exists()) {
      text += "Lattice=\"";
      for (int i = 0; i < 9; ++i) {
        text += fmt::format("{}{:.9g}", i == 0 ? "" : " ", frame.cell.vectors[i / 3][i % 3]);
      }
      text += "\" Properties=species:S:1:pos:R:3";
    }
    if (frame.has_time) text += fmt::format("{}Time={:.9g}", text.empty() ? "" : " ", frame.time);
    return text.empty() ? title_ : text;
  }

  OutputFile file_;
  std::vector<std::uint32_t> atoms_;
  std::vector<std::string> symbols_;
  std::string title_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_xyz_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms) {
  if (!molecule.topology) throw Error(path + ": XYZ needs atoms; the input has positions only", Error::Kind::usage);
  return std::make_unique<XyzWriter>(path, molecule, written_atoms(molecule, std::move(atoms)));
}

}  // namespace isolume
