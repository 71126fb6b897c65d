// Writing BinaryCIF: the tables that mmCIF has.
#include <sstream>

#include "formats/structures/cif.h"
#include "formats/write/binary_cif_encode.h"
#include "formats/write/frame_writer.h"
#include "formats/write/output_file.h"
#include "formats/write/writers.h"

namespace isolume {
namespace {

/// Keeps the text of mmCIF until it is whole, since a column is encoded at once: about 110 bytes for each atom of each
/// frame, and 21 columns one after another.
class BcifWriter final : public NotingWriter {
 public:
  BcifWriter(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : path_(path), file_(path), tables_(create_mmcif_writer(path, molecule, std::move(atoms), &text_)) {}

  void add(const Frame& frame) override { tables_->add(frame); }
  void finish() override {
    tables_->finish();
    const std::string text = std::move(text_).str();
    write_binary_cif(file_.stream(), CifDocument(text, path_));
    file_.finish();
  }
  std::vector<std::string> notes() const override { return notes_of(*tables_); }

 private:
  std::string path_;
  OutputFile file_;
  std::ostringstream text_;
  std::unique_ptr<TrajectoryWriter> tables_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_bcif_writer(const std::string& path, const Molecule& molecule,
                                                     std::vector<std::uint32_t> atoms) {
  return std::make_unique<BcifWriter>(path, molecule, std::move(atoms));
}

}  // namespace isolume
