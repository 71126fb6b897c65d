// What the Debye-Hückel sum on the CPU works on: spheres in a grid's row frame, and a tile of points.
#pragma once

#include <cstddef>
#include <vector>

namespace isolume {

/// Spheres in a grid's row frame, in units of 1/(kappa log2 e), where the screening is 2^-r; in angstrom without ions.
struct DebyeSpheres {
  std::vector<double> x, y, z;
  std::vector<double> amplitude;
};

constexpr int debye_rows = 4;             // rows at a time
constexpr int debye_length = 64;          // points of a row at a time
constexpr std::size_t debye_block = 512;  // spheres at a time
constexpr int debye_middle = 1;           // the row whose powers of two the others take theirs from
constexpr double debye_close = 0.3;       // how far from that they may be

/// Points of up to debye_rows rows: relative coordinates are formed in double precision.
struct DebyeTile {
  double x[debye_rows], y[debye_rows], z[debye_rows];  // of the first point of each row
  double step = 0;
  int count = 0;
  float coincident2 = 0;   // squared distance under which a sphere does not act
  bool bounded = false;    // no distance is over 126
  bool close = false;      // the rows are so near to each other that one power of two does for all (exp2_near)
  double* sums = nullptr;  // debye_rows x debye_length
};

}  // namespace isolume
