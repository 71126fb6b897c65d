// A small complex: two chains, of which one has a gap, a ligand, water and an ion; a window that has it open.
#pragma once

#include <QFile>
#include <QString>
#include <QTextStream>

#include "tests/app/window/fixture.h"

namespace isolume::test {

/// Chain A is MKTAYI (1 to 6), chain B MKS and YIG (1 to 3 and 5 to 7, 4 is missing), each residue with its backbone,
/// N, CA, C and O; then BEN 101 with two carbons and a hydrogen on each 3 angstrom from residue 2 of chain A, two
/// waters and a sodium ion. 48 + 4 + 2 + 1 atoms.
inline void write_two_chains(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return;
  QTextStream out(&file);
  int serial = 0;
  const auto atom = [&](const char* record, const char* name, const char* residue, char chain, int number, double x,
                        double y, double z, const char* element) {
    out << QString::asprintf("%-6s%5d %-4s %3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", record, ++serial,
                             name, residue, chain, number, x, y, z, element);
  };
  const struct {
    const char* name;
    int number;
  } first[] = {{"MET", 1}, {"LYS", 2}, {"THR", 3}, {"ALA", 4}, {"TYR", 5}, {"ILE", 6}},
    second[] = {{"MET", 1}, {"LYS", 2}, {"SER", 3}, {"TYR", 5}, {"ILE", 6}, {"GLY", 7}};
  const auto residue = [&](const char* name, char chain, int number, double y) {
    const double x = 3.8 * number;
    atom("ATOM", " N", name, chain, number, x, y, 0, "N");
    atom("ATOM", " CA", name, chain, number, x + 1.2, y + 0.8, 0, "C");
    atom("ATOM", " C", name, chain, number, x + 2.5, y, 0, "C");
    atom("ATOM", " O", name, chain, number, x + 2.2, y - 1.2, 0, "O");
  };
  for (const auto& one : first) residue(one.name, 'A', one.number, 0);
  out << "TER\n";
  for (const auto& one : second) residue(one.name, 'B', one.number, 12);
  out << "TER\n";
  atom("HETATM", " C1", "BEN", 'A', 101, 8.8, 3.8, 0, "C");
  atom("HETATM", " C2", "BEN", 'A', 101, 8.8, 5.2, 0, "C");
  atom("HETATM", " H1", "BEN", 'A', 101, 7.9, 3.3, 0, "H");
  atom("HETATM", " H2", "BEN", 'A', 101, 7.9, 5.7, 0, "H");
  atom("HETATM", " O", "HOH", 'A', 201, 20, 6, 0, "O");
  atom("HETATM", " O", "HOH", 'A', 202, 24, 6, 0, "O");
  atom("HETATM", "NA", " NA", 'A', 301, 2, 6, 0, "NA");
  out << "END\n";
}

class TwoChainsTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    write_two_chains(temporary(QStringLiteral("complex.pdb")));
    ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  }
};

}  // namespace isolume::test
