// The words that a scene in JSON has for enumerations, in the order of their values.
#pragma once

#include <iterator>

#include "app/scene/scene.h"

namespace isolume::scene_words {

inline constexpr const char* style[] = {"lines", "sticks", "ball and stick", "spheres",        "cartoon", "tube",
                                        "trace", "points", "ellipsoids",     "hydrogen bonds", "vectors"};
inline constexpr const char* colouring[] = {"element",   "chain",
                                            "molecule",  "residue",
                                            "structure", "charge",
                                            "b factor",  "index",
                                            "uniform",   "chain and element",
                                            "sequence",  "hydrophobicity",
                                            "eisenberg", "wimley white",
                                            "plddt",     "value",
                                            "map",       "file",
                                            "probe"};
inline constexpr const char* map[] = {"automatic", "viridis",        "cividis",
                                      "grey",      "red white blue", "orange white purple"};
inline constexpr const char* profile[] = {"ribbon", "flat", "round", "cylinders"};
inline constexpr const char* bases[] = {"slabs", "ladder", "none"};
inline constexpr const char* vector[] = {"dipole", "residue dipoles", "velocities", "forces"};
inline constexpr const char* material[] = {"standard", "matt", "glossy", "metal", "toon", "glass"};
inline constexpr const char* outline[] = {"scene", "off", "on"};
inline constexpr const char* cuts[] = {"everything", "surfaces", "atoms"};
inline constexpr const char* legend[] = {"scales", "all", "none"};
inline constexpr const char* scale_bar[] = {"none", "angstrom", "nm"};
inline constexpr const char* layout[] = {"together", "tiles"};
inline constexpr const char* field[] = {"gaussian",           "orbital",  "potential", "volume", "solvent excluded",
                                        "solvent accessible", "cavities", "contacts"};
inline constexpr const char* seed[] = {"surface", "plane", "atoms"};
inline constexpr const char* show[] = {"surfaces", "cloud", "lines", "bond paths"};
inline constexpr const char* subtrahend[] = {"none", "potential", "map"};
inline constexpr const char* paint[] = {"atoms", "potential", "curvature", "map"};
inline constexpr const char* method[] = {"automatic",     "direct", "cutoff", "msm",
                                         "debye hueckel", "spme",   "hcp",    "pb"};  // those of maps
static_assert(std::size(method) == static_cast<std::size_t>(PotentialMethod::gb));
inline constexpr const char* medium[] = {"constant", "sigmoidal"};
inline constexpr const char* unit[] = {"v", "kt/e", "kcal/mol/e"};
inline constexpr const char* spin[] = {"alpha", "beta"};
inline constexpr const char* bead[] = {"atoms", "residues"};
inline constexpr const char* quality[] = {"low", "medium", "high", "maximum"};
inline constexpr const char* surface[] = {"solid", "wireframe", "points"};
inline constexpr const char* plane[] = {"none", "x", "y", "z", "atoms"};
inline constexpr const char* cell[] = {"as is", "whole", "wrap", "centre"};
inline constexpr const char* structure[] = {"automatic", "file", "frame"};
inline constexpr const char* label[] = {"residue", "chain", "atom", "element", "charge", "own"};
inline constexpr const char* probe[] = {"point", "atom", "bond", "residue"};
inline constexpr const char* share[] = {"residue", "chain", "all"};
inline constexpr const char* loop[] = {"once", "loop", "rock"};
inline constexpr const char* projection[] = {"perspective", "orthographic"};
inline constexpr const char* easing[] = {"linear", "ease in", "ease out", "ease", "hold"};

}  // namespace isolume::scene_words
