// The scene: everything that makes a picture, as one plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/movie_key.h"
#include "compute/electrostatics/method_name.h"
#include "compute/over_time/share_by.h"
#include "molecule/cell.h"
#include "molecule/quantum/orbitals.h"
#include "molecule/rigid_motion.h"
#include "molecule/whole_molecules.h"
#include "render/represent/represent.h"
#include "render/view/camera.h"
#include "render/view/clip_plane.h"
#include "render/view/look.h"

namespace isolume {

/// Where a molecule is in the scene: its frames superposed on each other, and then all of it moved.
struct Placement {
  RigidMotion motion;
  /// The atoms by which every frame is superposed on frame `steady_frame` before it is moved; empty: frames are as the
  /// file has them.
  std::string steady{};
  std::size_t steady_frame = 0;
  bool operator==(const Placement&) const = default;
};

/// A molecule of the scene: the files that make it (a structure, perhaps a trajectory for it, or a sequence of orbital
/// files).
struct SceneMolecule {
  std::vector<std::string> paths;  ///< as the user gave them; in a session file relative to it where they lie below it
  bool visible = true;
  /// Files whose residues give it hydrogens and charges (molecule/residue_templates.h); residues without a template
  /// are left out. Empty: as the file is.
  std::vector<std::string> templates{};
  std::string assembly{};  ///< id of the biological assembly that is built (molecule/assembly.h); empty: as the file is
  /// Periodic images along the cell's vectors, 1 to 9 each: an odd number is around the cell, an even one has one
  /// more in the direction of the vector. Without a cell nothing is repeated.
  glm::ivec3 images{1};
  CellTreatment cell{};  ///< where the molecules of a periodic cell are placed, before anything else is done
  Placement placement{};
  /// Frames on each side that pictures average (compute/trajectory/smoothed_trajectory.h), 0: none. What is computed of
  /// the molecule otherwise has the frames as they are.
  std::uint32_t smoothing = 0;
  bool operator==(const SceneMolecule&) const = default;
};

/// Where a cartoon has its helices and strands from: the file, or the positions of each frame
/// (molecule/secondary_structure.h); automatic: of each frame where there are several.
enum class StructureSource : std::uint8_t { automatic, file, frame };

/// A style for some atoms.
struct Representation {
  std::uint32_t molecule = 0;     ///< index into Scene::molecules
  std::string selection = "all";  ///< molecule/selection/selection.h
  Style style = Style::cartoon;
  Colouring colouring = Colouring::element;
  glm::u8vec4 colour{0, 0, 0, 0};  ///< for Colouring::uniform; for carbon under Colouring::element where alpha > 0
  std::string value = "charge";    ///< for Colouring::value: an expression (molecule/selection/number_expression.h)
  std::uint32_t map_molecule = 0;  ///< for Colouring::map: whose volume is read at the atoms,
  std::uint32_t map_volume = 0;    ///< and which of its volumes
  std::uint32_t probe = 0;         ///< for Colouring::probe: index into Scene::probes
  std::string
      file{};  ///< for Colouring::file: a table or an alignment (app/view/colour_file.h), a path as of a molecule
  ColourMap colours = ColourMap::automatic;  ///< of a scale
  float lower = 0, upper = 0;                ///< values at the ends of a scale; equal: chosen by what is shown
  StyleOptions options;
  StructureSource structure = StructureSource::automatic;  ///< of a cartoon
  Material material = Material::standard;
  Outline outline;
  float opacity = 1.0f;
  bool visible = true;
  bool operator==(const Representation&) const = default;
};

/// How a potential is computed, and in which unit it is shown.
struct PotentialSettings {
  using Method = PotentialMethod;  ///< compute/electrostatics/method_name.h; spme is always periodic
  enum class Medium : std::uint8_t { constant, sigmoidal };  ///< compute/electrostatics/charges/dielectric.h
  enum class Unit : std::uint8_t { volt, thermal, kcal };    ///< V, kT/e, kcal/mol/e
  Method method = Method::automatic;
  double accuracy = 2.5e-3;  ///< relative RMS error for which multilevel summation and particle-mesh Ewald are planned
  bool periodic = false;     ///< the charges repeat along the cell's three vectors (automatic, msm)
  double cutoff = 12;        ///< angstrom (cutoff, shifted)
  std::string hcp_thresholds = "15/66";  ///< angstrom, of residues, chains and complexes (hcp.h)
  int hcp_charges = 1;                   ///< that stand for each of them, 1 or 2
  Medium medium = Medium::constant;
  double dielectric = 1;              ///< of Medium::constant
  double ionic_strength = 0.15;       ///< mol/l (debye_hueckel, pb)
  double solvent_dielectric = 78.54;  ///< (debye_hueckel, pb)
  double temperature = 298.15;        ///< K (debye_hueckel, pb, and the unit kT/e)
  double solute_dielectric = 2;       ///< (pb)
  bool nonlinear = false;             ///< the non-linear equation (pb)
  double target_error = 0;            ///< relative, that steps are shortened for (pb); 0: the steps of the map
  Unit unit = Unit::volt;
  bool operator==(const PotentialSettings&) const = default;
};
/// "V", "kT/e", "kcal/mol/e".
const char* name(PotentialSettings::Unit unit);
/// By what volts are multiplied to give the unit.
double per_volt(const PotentialSettings& settings);
/// A potential that is not screened, in vacuum: what `method`, `medium` and `dielectric` come to.
bool in_vacuum(const PotentialSettings& settings);

/// A plane through a field on which its values are shown as colours (orbitals, potentials, volumes).
struct SlicePlane {
  /// x, y, z: across that axis, through the middle of the molecule's atoms; atoms: that of the atoms of `selection`, by
  /// least squares.
  enum class Kind : std::uint8_t { none, x, y, z, atoms };
  Kind kind = Kind::none;
  std::string selection = "all";  ///< at least three atoms (Kind::atoms)
  double offset = 0;              ///< angstrom along the normal
  bool operator==(const SlicePlane&) const = default;
};

/// Where field lines go through (Field::Show::lines).
struct LineSeeds {
  /// surface: of the atoms that count, of a volume without atoms the isosurfaces; plane: a square as large as the
  /// field's grid; atoms: spheres about the selected ones.
  enum class Kind : std::uint8_t { surface, plane, atoms };
  Kind kind = Kind::surface;
  SlicePlane plane{SlicePlane::Kind::z, "all", 0};  ///< (plane)
  std::string selection = "all";                    ///< (atoms)
  double radius = 2;                                ///< angstrom, of the spheres (atoms)
  bool operator==(const LineSeeds&) const = default;
};

/// A point of a cloud's transfer function.
struct TransferPoint {
  float at = 0;             ///< part of the range: -1 to 1, 0 to 1 for fields of one sign
  glm::u8vec4 colour{255};  ///< alpha: the opacity of one angstrom
  bool operator==(const TransferPoint&) const = default;
};

/// A volume of the scene, or none.
struct MapChoice {
  bool given = false;
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  std::uint32_t volume = 0;    ///< index into Molecule::volumes
  bool operator==(const MapChoice&) const = default;
};

/// What is taken off the values that a field shows (shows_difference()), so that it shows a difference.
struct Subtrahend {
  /// potential: of the charges of other atoms, in another frame, or by another method; map: a volume that is loaded.
  enum class Kind : std::uint8_t { none, potential, map };
  Kind kind = Kind::none;
  std::uint32_t molecule = 0;     ///< index into Scene::molecules: whose charges, or whose volume
  std::string selection = "all";  ///< the atoms whose charges count (potential)
  /// The charges of the atoms (potential): empty: as the molecule has them in the scene; "file": those of its file;
  /// else those of built-in tables, "tables:charmm" (app/scene/built_in_tables.h).
  std::string charges{};
  bool fixed = false;           ///< in frame `frame` always (potential), else in the one that is shown
  std::uint32_t frame = 0;      ///< of its molecule
  PotentialSettings potential;  ///< (potential); its unit does not count
  std::uint32_t volume = 0;     ///< index into Molecule::volumes (map)
  bool resample = false;        ///< a map with other points than the field's is interpolated, else refused
  /// Standard errors of what a map is taken off and of the map; where one is given the difference is faded where it is
  /// within its own (compute/over_time/significance.h).
  MapChoice own_error, error;
  bool operator==(const Subtrahend&) const = default;
};

/// A computed thing: a surface of atoms, an orbital, a potential, or of a volume from a file.
struct Field {
  /// Surfaces of atoms: of their Gaussian density, solvent-excluded, solvent-accessible, and of the cavities and
  /// pockets between them. contacts: where the densities of free atoms of two groups meet (delta-g, Promolecule).
  enum class Kind : std::uint8_t {
    gaussian,
    orbital,
    potential,
    volume,
    solvent_excluded,
    solvent_accessible,
    cavities,
    contacts
  };
  /// What colours a surface: its atoms, as `colouring` says (surfaces of atoms), or its own colours; the electrostatic
  /// potential (any kind but potential); its own mean curvature (surfaces of atoms); the values of a volume that is
  /// loaded (any kind but potential).
  enum class Paint : std::uint8_t { atoms, potential, curvature, map };
  /// As surfaces at the isovalue, as a cloud (volume rendering) by the transfer function, (potential, volume) as the
  /// lines along which it falls, or (electron density) as its critical points and bond paths; surfaces of atoms are
  /// always surfaces, and a slice goes before all.
  enum class Show : std::uint8_t { surfaces, cloud, lines, paths };
  /// The balls of a Gaussian surface: atoms, or one for each residue (compute/density/group_beads.h).
  enum class Beads : std::uint8_t { atoms, residues };
  /// Where its Gaussians end, in their sigmas: 2, 2.5, 3, 4.
  enum class Quality : std::uint8_t { low, medium, high, maximum };
  Kind kind = Kind::gaussian;
  Show show = Show::surfaces;
  std::uint32_t molecule = 0;
  std::string selection = "all";  ///< the atoms that count (surfaces of atoms, potential, and the zone of a volume)
  /// The second group of contacts, whose first is `selection`, without the atoms of that; empty: all others.
  std::string partners{};
  std::string orbital = "homo";  ///< "homo", "lumo+1", "5" (kind orbital)
  Spin spin = Spin::alpha;
  /// `orbital` names the one of frame `follow_from`, which is followed to other frames by overlap, with its phase; else
  /// the name is looked up again in every frame.
  bool follow = false;
  std::uint32_t follow_from = 0;
  /// Part of the electron within the surfaces, above 0 and below 1, which decides the isovalue in every frame (kind
  /// orbital); 0: `isovalue` does.
  double enclosed = 0;
  std::uint32_t volume = 0;  ///< index into Molecule::volumes (kind volume)
  /// Copies of a volume whose grid is one period, to each side along its axes (kind volume). The surface goes through
  /// the faces between them.
  glm::ivec3 repeat{0};
  /// Above 0: of surfaces of a volume only what is so near (angstrom) to atoms of `selection` in the first frame of
  /// molecule `zone_molecule`.
  double zone = 0;
  std::uint32_t zone_molecule = 0;
  double spacing = 0;  ///< angstrom between grid points; 0 chooses by the size of what is computed
  /// In the unit shown (of a potential PotentialSettings::unit); 0: the kind's usual one (shown_isovalue()).
  double isovalue = 0;
  bool both_signs = true;             ///< also the surface at -isovalue, in negative_colour (not for gaussian)
  float radius_scale = 1.0f;          ///< gaussian
  Beads beads = Beads::atoms;         ///< gaussian
  Quality quality = Quality::medium;  ///< gaussian
  double probe_radius = 1.4;          ///< angstrom: solvent_excluded, solvent_accessible, cavities
  /// gaussian, solvent_excluded, solvent_accessible: the atoms repeat along the frame's cell, and the surface is that
  /// of one period, cut at its faces; else molecules are whole and the surface closed.
  bool periodic = false;
  Surface::Style style = Surface::Style::solid;
  SlicePlane slice;                          ///< other than none: shown on this plane instead of as surfaces
  Colouring colouring = Colouring::uniform;  ///< gaussian: by the atoms near it
  Paint paint = Paint::atoms;
  /// At full red (minus) and full blue, in the unit shown: of a potential PotentialSettings::unit, of a curvature
  /// 1/angstrom, of a map its own; of a slice and of field lines likewise. 0 chooses by what is on the surface or the
  /// lines, for a slice twice the isovalue.
  double paint_range = 0;
  double paint_offset = 0;  ///< angstrom along the outward normal at which potential or map are taken
  /// Contacts, and a volume coloured by a map: only what has colours of these values is shown; equal: all of it.
  double shown_lower = 0, shown_upper = 0;
  bool interatomic = false;        ///< Show::paths: also the surfaces between atoms
  bool extremes = false;           ///< potential or map: its maxima and minima on the surface are marked and labelled
  std::uint32_t map_molecule = 0;  ///< for Paint::map: whose volume colours the surface,
  std::uint32_t map_volume = 0;    ///< and which of its volumes
  PotentialSettings potential;     ///< kind potential, and Paint::potential
  Subtrahend minus;                ///< kind potential and volume, and Paint::potential and Paint::map
  glm::u8vec4 colour{0, 114, 178, 255};
  glm::u8vec4 negative_colour{213, 94, 0, 255};
  Material material = Material::standard;
  Outline outline;
  /// Of a cloud: linear between the points; empty: by the two colours, clear near 0 (transfer_of).
  std::vector<TransferPoint> transfer;
  std::uint32_t lines = 150;  ///< field lines at most (Show::lines)
  LineSeeds seeds;            ///< where they go through (Show::lines)
  double cloud_range = 0;     ///< the value at 1, in the unit shown; 0: by isovalue or values (cloud_range())
  float opacity = 1.0f;
  bool visible = true;
  bool operator==(const Field&) const = default;
};

/// An atom of the scene.
struct SceneAtom {
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  std::uint32_t atom = 0;      ///< index into its atoms
  bool operator==(const SceneAtom&) const = default;
};

/// A place in the scene that is no atom.
struct ScenePoint {
  glm::dvec3 position{0.0};  ///< angstrom
  bool operator==(const ScenePoint&) const = default;
};

/// Something measured and written in the picture, in every frame: of two atoms their distance, of three the angle at
/// the second, of four the dihedral about the middle two, of one its name.
struct Measurement {
  std::vector<SceneAtom> atoms;          ///< 1 to 4; of a ruler 0 to 2
  glm::u8vec4 colour{230, 159, 0, 255};  ///< of the dashed lines
  bool ruler = false;                    ///< of two ends: a line with ticks in angstrom instead
  std::vector<ScenePoint> points{};      ///< of a ruler: its ends that are no atoms, behind those that are
  bool visible = true;
  bool operator==(const Measurement&) const = default;
};

/// Texts written next to the selected atoms of a molecule, in every frame.
struct LabelSet {
  /// Of each residue its name and number, of each chain its letter, of each atom its name, its element or its partial
  /// charge; own: `own`, once, in the middle of the atoms.
  enum class Text : std::uint8_t { residue, chain, atom, element, charge, own };
  std::uint32_t molecule = 0;     ///< index into Scene::molecules
  std::string selection = "all";  ///< molecule/selection/selection.h
  Text text = Text::residue;
  std::string own{};
  float points = 0;  ///< size of the letters, 1/72 inch; 0: as Look::text_points
  bool visible = true;
  bool operator==(const LabelSet&) const = default;
};

/// Interactions of a molecule as dashed lines, found again in every frame (compute/analysis/interactions.h).
struct InteractionSet {
  std::uint32_t molecule = 0;     ///< index into Scene::molecules
  std::string selection = "all";  ///< molecule/selection/selection.h
  std::string other{};            ///< the partners; empty: those between atoms of `selection`
  bool hydrogen_bonds = true;
  bool salt_bridges = true;
  bool stacking = true;  ///< of aromatic rings, face to face and edge to face
  bool cation_pi = true;
  bool clashes = true;
  bool contacts = false;
  bool visible = true;
  bool operator==(const InteractionSet&) const = default;
};

/// A place where the potential and the field of a molecule's charges are taken in every frame, and what each residue
/// adds to them (compute/over_time/probing.h).
struct FieldProbe {
  /// point: stays where it is; residue: the middle of its atoms; bond: the middle of two atoms, with the field along
  /// it.
  enum class Kind : std::uint8_t { point, atom, bond, residue };
  Kind kind = Kind::point;
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  std::uint32_t atom = 0;      ///< index into its atoms: the atom, the first one of the bond, one of the residue
  std::uint32_t second = 0;    ///< (bond)
  glm::dvec3 position{0.0};    ///< angstrom (point)
  bool visible = true;
  bool operator==(const FieldProbe&) const = default;
};

/// How probes are computed, the same for all of a scene, so that they can be compared.
struct ProbeSettings {
  PotentialSettings potential;  ///< automatic: direct, of a periodic cell multilevel summation
  ShareBy by = ShareBy::residue;
  bool operator==(const ProbeSettings&) const = default;
};

/// Atoms of a molecule under a name: `@name` stands for them in selections of this molecule.
struct NamedSelection {
  std::string name;               ///< as is_selection_name() (molecule/selection/selection_names.h)
  std::uint32_t molecule = 0;     ///< index into Scene::molecules
  std::string selection = "all";  ///< molecule/selection/selection.h; other names too
  bool operator==(const NamedSelection&) const = default;
};

/// How a trajectory plays.
struct Playback {
  enum class Loop : std::uint8_t { once, loop, rock };
  double frames_per_second = 20;
  std::uint32_t stride = 1;
  Loop loop = Loop::loop;
  bool operator==(const Playback&) const = default;
};

/// A camera and a frame to come back to.
struct SavedView {
  std::string name;
  Camera camera;
  std::size_t frame = 0;
  bool operator==(const SavedView&) const = default;
};

/// Which legends are drawn: of scales and of what fields show, of names (chains, elements, ...) too, or none.
enum class Legends : std::uint8_t { scales, all, none };

/// All molecules in one space, or each in a tile of the picture, seen by one camera.
enum class Layout : std::uint8_t { together, tiles };

/// The scene. Compares with ==; undo is the previous one; reads and writes as JSON (scene_json.h).
struct Scene {
  std::vector<SceneMolecule> molecules;
  std::vector<Representation> representations;
  std::vector<Field> fields;
  std::vector<Measurement> measurements;
  std::vector<LabelSet> labels;
  std::vector<InteractionSet> interactions;
  std::vector<NamedSelection> selections;
  std::vector<FieldProbe> probes;
  ProbeSettings probing;
  std::vector<SavedView> views;
  std::vector<ClipPlane> clip_planes;  ///< at most most_clip_planes
  std::vector<MovieKey> keys;          ///< of its movie (app/scene/movie.h), ascending in time
  Camera camera;
  Look look;
  Playback playback;
  std::size_t frame = 0;
  bool show_box = false;
  Legends legends = Legends::scales;
  Layout layout = Layout::together;
  std::uint32_t tile_columns = 0;  ///< of Layout::tiles; 0: as the shape of the picture suggests
  bool operator==(const Scene&) const = default;
};

/// How many images of the cell there are, and by what each is shifted (the cell itself, 0, among them).
std::vector<glm::vec3> image_shifts(const SceneMolecule& molecule, const Cell& cell);

/// By what a field's computed values (of a potential volts) are multiplied to be in the unit shown.
double shown_factor(const Field& field);
/// Field::isovalue in the unit shown, or where that is 0 the usual one: gaussian 0.5, orbital 0.05 bohr^-3/2, volume
/// 0.05, potential 0.5 V, and 1 kT/e of a screened one.
double shown_isovalue(const Field& field);
/// The same as computed: a potential's in volts.
double effective_isovalue(const Field& field);
/// Changes the unit; isovalue and ranges stay where they were.
void change_unit(Field& field, PotentialSettings::Unit unit);
/// True where the potential colours the surface, or is the field.
bool has_potential(const Field& field);
/// True where something is taken off the values shown: off those that colour the surface, where a potential or a map
/// does, else off the potential or the volume that is the field.
bool shows_difference(const Field& field);
/// The transfer function that a cloud has: the field's own, else the usual one of its colours. Ascending.
std::vector<TransferPoint> transfer_of(const Field& field);
/// The value at the end of a cloud's range, as computed (volts), above 0.
double effective_cloud_range(const Field& field);
/// True for a volume that is shown with copies of itself.
bool repeats_volume(const Field& field);
/// True for the surfaces of atoms: closed, and above the isovalue inside.
bool wraps_atoms(Field::Kind kind);
/// Colours of the positive and the negative phase of the n-th of several orbitals at once, apart for colour-blind eyes
/// too (after M. Okabe and K. Ito, Color Universal Design, 2008).
std::pair<glm::u8vec4, glm::u8vec4> phase_colours(std::size_t n);

}  // namespace isolume
