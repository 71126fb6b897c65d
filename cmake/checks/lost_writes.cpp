// Whether the compiler keeps the writes of a function: 0 where it does.
//
// GCC 12.2 at -O3 expresses the address of the row that is written by that of a local array (-fno-ivopts mends it). Its
// analysis between functions then takes spread() for a function that writes nothing that others see, and leaves its
// call away: the sum is 0.
#include <cstddef>
#include <cstring>

using Vector = float __attribute__((vector_size(16)));

inline Vector load(const float* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

struct Atom {
  unsigned short at[3];
};
struct Mesh {
  float* values;
  const std::size_t* rows;
  const std::size_t* planes;
};

__attribute__((noinline)) void spread(const Atom* atoms, const float* from, std::size_t count, const Mesh& mesh) {
  struct {
    alignas(64) float x[64], y[4][16], z[4][16];
  } w;
  for (std::size_t i = 0; i < 16; ++i) {
    for (int k = 0; k < 4; ++k) {
      w.x[4 * i + static_cast<std::size_t>(k)] = from[i];
      w.y[k][i] = from[i] + static_cast<float>(k);
      w.z[k][i] = from[i] * static_cast<float>(k);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t* const rows = mesh.rows + atoms[i].at[1];
    float* const base = mesh.values + atoms[i].at[0];
    const Vector wx = load(w.x + 4 * i);
    for (int z = 0; z < 4; ++z) {
      float* const plane = base + mesh.planes[atoms[i].at[2] + z];
      const Vector wxz = wx * w.z[z][i];
      for (int y = 0; y < 4; ++y) {
        float* const row = plane + rows[y];
        const Vector sum = load(row) + wxz * w.y[y][i];
        std::memcpy(row, &sum, sizeof sum);
      }
    }
  }
}

int main() {
  static float values[64];
  static const std::size_t rows[] = {0, 1, 2, 3}, planes[] = {0, 8, 16, 24};
  const Atom atom{{0, 0, 0}};
  const float from[16] = {1};
  spread(&atom, from, 1, {values, rows, planes});
  float sum = 0;
  for (const float value : values) sum += value;
  return sum > 0 ? 0 : 1;
}
