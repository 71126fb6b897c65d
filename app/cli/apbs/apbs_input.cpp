// Input files of APBS, as they are.
#include "app/cli/apbs/apbs_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "app/cli/apbs/apbs_words.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Word = ApbsWord;

class Reader {
 public:
  explicit Reader(const std::string& path) : words_(path) {}

  ApbsInput read() {
    while (words_.more()) {
      const Word word = words_.next("a block");
      const std::string block = apbs_lower(word.text);
      if (block == "quit") break;
      if (block == "read") {
        molecules();
      } else if (block == "elec") {
        elec(word);
      } else if (block == "print") {
        print(word);
      } else if (block == "apolar") {
        input_.apolars.push_back(read_apolar(words_, word, std::to_string(input_.apolars.size() + 1),
                                             static_cast<int>(input_.molecules.size()),
                                             [this](const std::string& text) { note(text); }));
      } else {
        words_.fail(word, fmt::format("'{}': expected READ, ELEC, APOLAR, PRINT or QUIT", word.text));
      }
    }
    if (input_.elecs.empty() && input_.apolars.empty())
      throw Error("the input of APBS has no ELEC and no APOLAR block", Error::Kind::usage);
    return input_;
  }

 private:
  void note(const std::string& text) {
    if (std::find(input_.notes.begin(), input_.notes.end(), text) == input_.notes.end()) input_.notes.push_back(text);
  }
  [[noreturn]] void no_counterpart(const Word& word, const std::string& what) const {
    words_.fail(word, what + " has no counterpart here");
  }

  void molecules() {
    for (;;) {
      const Word word = words_.next("END of READ");
      const std::string key = apbs_lower(word.text);
      if (key == "end") return;
      if (key != "mol") {
        static constexpr const char* known[] = {"parm", "diel", "kappa", "charge", "pot", "mesh"};
        if (std::find(std::begin(known), std::end(known), key) != std::end(known)) no_counterpart(word, "READ " + key);
        words_.fail(word, fmt::format("READ {}: expected mol", word.text));
      }
      const Word format = words_.next("pqr");
      if (apbs_lower(format.text) != "pqr")
        words_.fail(format,
                    fmt::format("mol {}: expected pqr (a PDB file gets its charges by compute charges)", format.text));
      input_.molecules.push_back(words_.next("a PQR file").text);
    }
  }

  ApbsCentre centre(const std::string& of) {
    ApbsCentre result;
    if (words_.more() && apbs_lower(words_.ahead()) == "mol") {
      words_.next("mol");
      result.molecule = molecule(of + " mol");
    } else {
      result.point = words_.three(of);
    }
    return result;
  }

  int molecule(const std::string& of) {
    const Word word = words_.next(of);
    int value = 0;
    const char* const end = word.text.data() + word.text.size();
    const auto [stop, fault] = std::from_chars(word.text.data(), end, value);
    const auto count = static_cast<int>(input_.molecules.size());
    if (fault != std::errc() || stop != end || value < 1 || value > count)
      words_.fail(word, fmt::format("{} {}: there are {} molecules, from 1", of, word.text, count));
    return value;
  }

  void ion(ApbsElec& elec) {
    IonSpecies ion{0, 0, 2};
    if (apbs_lower(words_.ahead()) != "charge") {  // the older form
      ion.charge = words_.number("ion");
      ion.concentration = words_.number("ion");
      ion.radius = words_.number("ion");
    } else {
      for (int part = 0; part < 3; ++part) {
        const Word word = words_.next("charge, conc and radius");
        const std::string key = apbs_lower(word.text);
        double* const value = key == "charge"   ? &ion.charge
                              : key == "conc"   ? &ion.concentration
                              : key == "radius" ? &ion.radius
                                                : nullptr;
        if (value == nullptr) words_.fail(word, fmt::format("ion {}: expected charge, conc or radius", word.text));
        *value = words_.number("ion " + key);
      }
    }
    elec.options.ions.push_back(ion);
  }

  void surface(ApbsElec& elec) {
    const Word word = words_.next("srfm");
    const std::string name = apbs_lower(word.text);
    if (name == "spl2" || name == "spl4") {
      elec.options.boundary = DielectricBoundary::spline;
      elec.options.spline_degree = name == "spl4" ? 7 : 3;
    } else if (name == "mol" || name == "smol") {
      elec.options.boundary = DielectricBoundary::solvent_excluded;
      if (name == "smol")
        note("srfm smol: the solvent-excluded surface with the permittivity averaged along each edge");
    } else {
      words_.fail(word, fmt::format("srfm {}: expected mol, smol, spl2 or spl4", word.text));
    }
  }

  void write(ApbsElec& elec) {
    const Word what = words_.next("pot"), format = words_.next("dx");
    const std::string stem = words_.next("a file's name").text;
    const std::string kind = apbs_lower(what.text);
    static constexpr const char* maps[] = {"dielx", "diely", "dielz", "kappa", "charge", "smol",
                                           "sspl",  "vdw",   "ivdw",  "ndens", "qdens"};
    const bool map = std::find(std::begin(maps), std::end(maps), kind) != std::end(maps);
    if (kind != "pot" && !map) {
      static const std::map<std::string, const char*> others{
          {"lap", "at the charges it is infinite, and they are not spread over nodes here"},
          {"edens", "at the charges it is infinite, and they are not spread over nodes here"},
          {"atompot", "there it is infinite but for the reaction potential (compute energy --method pb --atoms)"}};
      const auto other = others.find(kind);
      words_.fail(what, other == others.end()
                            ? fmt::format("write {}: expected pot, {}", what.text, fmt::join(maps, ", "))
                            : fmt::format("write {}: not supported: {}; there are pot, {}", kind, other->second,
                                          fmt::join(maps, ", ")));
    }
    if (apbs_lower(format.text) != "dx") note(fmt::format("write {} {}: written as dx", kind, format.text));
    if (kind == "pot")
      elec.potentials.push_back(stem);
    else
      elec.maps.push_back({kind, stem});
  }

  void elec(const Word& begin) {
    ApbsElec elec;
    elec.line = begin.line;
    elec.name = std::to_string(input_.elecs.size() + 1);
    elec.options.ions.clear();
    elec.options.solute_permittivity = elec.options.solvent_permittivity = 0;
    std::string kind, equation, conditions;
    double window = 0.3;
    glm::dvec3 spacing(0);
    bool has_centre = false;
    for (;;) {
      const Word word = words_.next("END of ELEC");
      const std::string key = apbs_lower(word.text);
      if (key == "end") break;
      if (key == "name") {
        elec.name = words_.next("a name").text;
      } else if (key == "mg-auto" || key == "mg-manual" || key == "mg-para") {
        kind = key;
      } else if (key == "mg-dummy" || key == "fe-manual" || key == "bem-manual" || key == "geoflow-auto" ||
                 key == "pbam-auto" || key == "pbsam-auto") {
        no_counterpart(word, key);
      } else if (key == "dime") {
        for (int axis = 0; axis < 3; ++axis) elec.counts[axis] = words_.whole("dime");
      } else if (key == "glen" || key == "fglen") {
        elec.lengths = words_.three(key);
      } else if (key == "grid") {
        spacing = words_.three(key);
      } else if (key == "cglen") {
        words_.three(key);
        note("cglen, cgcent: the coarse boxes are chosen by Isolume");
      } else if (key == "cgcent") {
        centre(key);
      } else if (key == "gcent" || key == "fgcent") {
        elec.centre = centre(key);
        has_centre = true;
      } else if (key == "mol") {
        elec.molecule = molecule("mol");
      } else if (key == "lpbe" || key == "npbe") {
        equation = key;
      } else if (key == "lrpbe" || key == "nrpbe" || key == "smpbe") {
        no_counterpart(word, key);
      } else if (key == "bcfl") {
        const Word how = words_.next("bcfl");
        conditions = apbs_lower(how.text);
        if (conditions == "map") no_counterpart(how, "bcfl map");
        if (conditions != "zero" && conditions != "sdh" && conditions != "mdh" && conditions != "focus")
          words_.fail(how, fmt::format("bcfl {}: expected zero, sdh, mdh or focus", how.text));
      } else if (key == "ion") {
        ion(elec);
      } else if (key == "pdie") {
        elec.options.solute_permittivity = words_.number(key);
      } else if (key == "sdie") {
        elec.options.solvent_permittivity = words_.number(key);
      } else if (key == "srfm") {
        surface(elec);
      } else if (key == "chgm") {
        const Word how = words_.next("chgm");
        const std::string name = apbs_lower(how.text);
        if (name != "spl0" && name != "spl2" && name != "spl4")
          words_.fail(how, fmt::format("chgm {}: expected spl0, spl2 or spl4", how.text));
        elec.charge_degree = name[3] - '0' + 1;
        note(fmt::format("chgm {}: charges are not spread over nodes; their own Coulomb potential is summed", name));
      } else if (key == "srad") {
        elec.options.probe_radius = words_.number(key);
      } else if (key == "swin") {
        window = words_.number(key);
      } else if (key == "temp") {
        elec.options.temperature = words_.number(key);
      } else if (key == "write") {
        write(elec);
      } else if (key == "sdens") {
        words_.number(key);
        note("sdens: the surface is not sampled by points");
      } else if (key == "calcenergy" || key == "calcforce") {
        const Word how = words_.next(key);
        if (key == "calcforce" && apbs_lower(how.text) != "no")
          words_.fail(how, fmt::format("calcforce {}: forces are not computed; expected no", how.text));
      } else if (key == "nlev" || key == "etol" || key == "ofrac" || key == "async" || key == "ekey") {
        words_.next(key);
        note(key + ": belongs to the solver of APBS");
      } else if (key == "pdime") {
        words_.three(key);
        note("pdime: the box is solved as one");
      } else if (key == "usemap" || key == "writemat") {
        no_counterpart(word, key);
      } else {
        words_.fail(word,
                    fmt::format("ELEC {}: unknown; there are mg-auto, mg-manual, mg-para, dime, glen, grid, cglen, "
                                "fglen, gcent, cgcent, fgcent, mol, lpbe, npbe, bcfl, ion, pdie, sdie, srfm, "
                                "chgm, sdens, srad, swin, temp, calcenergy, calcforce and write",
                                word.text));
      }
    }
    const auto need = [&](bool there, const char* what) {
      if (!there) words_.fail(begin, fmt::format("ELEC {}: no {}", elec.name, what));
    };
    need(!kind.empty(), "mg-auto or mg-manual");
    need(!equation.empty(), "lpbe or npbe");
    need(!conditions.empty(), "bcfl");
    need(elec.counts.x > 1 && elec.counts.y > 1 && elec.counts.z > 1, "dime of 2 or more points");
    if (spacing.x > 0) elec.lengths = spacing * glm::dvec3(elec.counts - 1);
    need(elec.lengths.x > 0 && elec.lengths.y > 0 && elec.lengths.z > 0, "glen, fglen or grid");
    need(elec.options.solute_permittivity > 0, "pdie");
    need(elec.options.solvent_permittivity > 0, "sdie");
    need(!input_.molecules.empty(), "molecule (READ mol pqr)");
    if (!has_centre) elec.centre.molecule = elec.molecule;
    elec.focuses = kind != "mg-manual";
    elec.options.focus = elec.focuses;
    elec.options.nonlinear = equation == "npbe";
    elec.options.width = window;
    largest_radius(elec.options.ions);
    if (kind == "mg-para") note("mg-para: the box is solved as one, as by mg-auto");
    if (conditions == "zero" || conditions == "sdh")
      note(fmt::format("bcfl {}: the sums of the atoms' Debye-Hueckel potentials, as mdh, are used", conditions));
    if (conditions == "mdh") note("bcfl mdh: the sums begin at the atom's radius plus the ion's, not at the atom's");
    input_.elecs.push_back(elec);
  }

  /// APBS keeps all ions by the largest of their radii from the atoms, whatever their concentrations.
  void largest_radius(std::vector<IonSpecies>& ions) {
    double largest = 0;
    for (const IonSpecies& ion : ions) largest = std::max(largest, ion.radius);
    for (IonSpecies& ion : ions) {
      if (ion.radius != largest)
        note(fmt::format("ion radius {:g}: as in APBS the largest, {:g} A, is that of all ions", ion.radius, largest));
      ion.radius = largest;
    }
  }

  template <class Block>
  std::size_t named(const std::vector<Block>& blocks, const char* kind, const Word& word) const {
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (blocks[i].name == word.text || std::to_string(i + 1) == word.text) return i;
    words_.fail(word, fmt::format("print: no {} block is named '{}'", kind, word.text));
  }

  void print(const Word& begin) {
    const Word what = words_.next("elecEnergy");
    const std::string key = apbs_lower(what.text);
    const bool apolar = key == "apolenergy";
    if (!apolar && key != "elecenergy" && key != "energy") {
      if (key == "elecforce" || key == "force" || key == "apolforce")
        words_.fail(what,
                    fmt::format("print {}: forces are not computed; there are elecEnergy and apolEnergy", what.text));
      words_.fail(what, fmt::format("print {}: expected elecEnergy or apolEnergy", what.text));
    }
    ApbsPrint print;
    print.apolar = apolar;
    double sign = 1;
    bool wants_name = true;
    for (;;) {
      const Word word = words_.next("END of PRINT");
      if (apbs_lower(word.text) == "end") break;
      print.text += (print.text.empty() ? "" : " ") + word.text;
      if (wants_name) {
        print.terms.emplace_back(sign,
                                 apolar ? named(input_.apolars, "APOLAR", word) : named(input_.elecs, "ELEC", word));
      } else if (word.text == "+" || word.text == "-") {
        sign = word.text == "+" ? 1 : -1;
      } else {
        words_.fail(word, fmt::format("print: '{}' where + or - is expected", word.text));
      }
      wants_name = !wants_name;
    }
    if (print.terms.empty() || wants_name) words_.fail(begin, "print: expected NAME - NAME ... end");
    input_.prints.push_back(print);
  }

  ApbsWords words_;
  ApbsInput input_;
};

}  // namespace

ApbsInput read_apbs_input(const std::string& path) {
  return Reader(path).read();
}

}  // namespace isolume::cli
