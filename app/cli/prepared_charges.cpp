// Hydrogens and charges from the built-in tables, on the command line.
#include "app/cli/prepared_charges.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

#include "app/cli/charge_sets.h"
#include "app/cli/propka.h"
#include "compute/preparation/carried_frames.h"
#include "compute/preparation/residue_names.h"
#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume::cli {

namespace {

constexpr std::size_t most_said = 12;

ChargeSet set_of(const std::string& name) {
  if (name == "charmm" || name == "charmm36") return ChargeSet::charmm36;
  return name == "parse" ? ChargeSet::parse : ChargeSet::ff14sb;
}

RadiusSet radii_of(const std::string& name) {
  if (name == "bondi") return RadiusSet::bondi;
  if (name == "mbondi") return RadiusSet::mbondi;
  return name == "mbondi2" ? RadiusSet::mbondi2 : RadiusSet::own;
}

const char* word_of(ChargeIssue::Kind kind) {
  switch (kind) {
    case ChargeIssue::Kind::left_out:
      return "left out";
    case ChargeIssue::Kind::incomplete:
      return "incomplete";
    case ChargeIssue::Kind::built:
      return "built";
    case ChargeIssue::Kind::estimated:
      return "estimated";
    default:
      return "chosen";
  }
}

/// Lines of a chain, a residue number (perhaps with its insertion code) and a state, parted by blanks or commas; "-" is
/// the chain without a name.
std::vector<ProtonationChoice> read_protonation(const std::string& path) {
  const auto source = ByteSource::open(path);
  LineScanner lines(*source);
  std::vector<ProtonationChoice> choices;
  while (lines.next()) {
    std::string_view rest = lines.line().substr(0, lines.line().find('#'));
    std::vector<std::string> words;
    while (!rest.empty()) {
      const std::size_t stop = std::min(rest.find_first_of(" \t,\r"), rest.size());
      if (stop > 0) words.emplace_back(rest.substr(0, stop));
      rest.remove_prefix(std::min(stop + 1, rest.size()));
    }
    if (words.empty() || (lines.number() == 1 && words[0] == "chain")) continue;
    ProtonationChoice choice;
    bool sound = words.size() == 3;
    if (sound) {
      const char* const last = words[1].data() + words[1].size();
      const auto [next, fault] = std::from_chars(words[1].data(), last, choice.number);
      sound = fault == std::errc() && last - next <= 1;
      if (sound && next != last) choice.insertion = *next;
    }
    if (!sound) lines.fail("expected a chain, a residue number and a state, such as: A 57 HIP");
    choice.chain = words[0] == "-" ? "" : words[0];
    choice.state = words[2];
    choices.push_back(std::move(choice));
  }
  return choices;
}

/// Side chains that were built: {residue, atoms, chi, clashes}.
nlohmann::ordered_json side_chains_of(const PreparedStructure& prepared) {
  std::map<std::uint32_t, std::string> places;
  for (std::size_t r = 0; r < prepared.residues.size(); ++r)
    places[prepared.residues[r].residue] = residue_place(*prepared.molecule.topology, r);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BuiltSideChain& built : prepared.side_chains) {
    nlohmann::ordered_json chi = nlohmann::ordered_json::array();
    for (const double angle : built.chi) chi.push_back(std::round(angle * 10) / 10);
    all.push_back({{"residue", places[built.residue]},
                   {"atoms", built.atoms},
                   {"chi", std::move(chi)},
                   {"clashes", built.clashes}});
  }
  return all;
}

void report_charges(Report& report, const PreparedStructure& prepared, const ChargeChoice& choice,
                    const ChargeOptions& options, const std::vector<std::string>& odd) {
  const Topology& topology = *prepared.molecule.topology;
  nlohmann::ordered_json chains = nlohmann::ordered_json::array();
  nlohmann::ordered_json residues = nlohmann::ordered_json::array();
  for (const Chain& chain : topology.chains) {
    double charge = 0;
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      const PreparedResidue& residue = prepared.residues[r];
      charge += residue.charge;
      residues.push_back({{"residue", residue_place(topology, r)},
                          {"state", residue.state},
                          {"why", residue.why},
                          {"charge", std::round(residue.charge * 1e6) / 1e6}});
    }
    chains.push_back({{"chain", chain.id}, {"charge", std::round(charge * 1e6) / 1e6}});
  }
  nlohmann::ordered_json issues = nlohmann::ordered_json::array();
  for (const ChargeIssue& issue : prepared.issues) {
    issues.push_back({{"kind", word_of(issue.kind)},
                      {"place", issue.place},
                      {"text", issue.text},
                      {"remedy", issue.remedy},
                      {"atoms", issue.atoms}});
  }
  report.result["preparation"] = {{"set", options.estimate_all ? "gasteiger" : charge_set_name(options.set)},
                                  {"radii", choice.radii},
                                  {"ph", options.ph},
                                  {"atoms", topology.atoms.size()},
                                  {"added_hydrogens", prepared.added_hydrogens},
                                  {"kept_hydrogens", prepared.kept_hydrogens},
                                  {"total_charge", std::round(prepared.charge * 1e6) / 1e6},
                                  {"not_integral", odd},
                                  {"chains", chains},
                                  {"residues", residues},
                                  {"side_chains", side_chains_of(prepared)},
                                  {"issues", issues}};
}

/// One line for each kind of remark: many residues of one name are counted, not listed.
void say_issues(Run& run, const PreparedStructure& prepared) {
  std::map<std::string, std::vector<std::string>> places;
  std::vector<std::string> order;
  for (const ChargeIssue& issue : prepared.issues) {
    const std::string text = issue.text + (issue.remedy.empty() ? "" : " (" + issue.remedy + ")");
    std::vector<std::string>& all = places[text];
    if (all.empty()) order.push_back(text);
    all.push_back(issue.place);
  }
  for (std::size_t i = 0; i < order.size() && i < most_said; ++i) {
    const std::vector<std::string>& all = places[order[i]];
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(all.size(), 4));
    run.say(fmt::format("note: {}{}: {}", fmt::join(all.begin(), all.begin() + shown, ", "),
                        all.size() > 4 ? fmt::format(" and {} more", all.size() - 4) : "", order[i]));
  }
  if (order.size() > most_said)
    run.say(fmt::format("note: {} more remarks are in the report (--report)", order.size() - most_said));
}

void add_build_missing(Verb command, bool& build) {
  command.flag("--build-missing", build,
               "build missing atoms of side chains, in the rotamer with the fewest clashes (without: they are named)");
}

}  // namespace

void add_charge_options(Verb command, ChargeChoice& choice) {
  command
      .option("--force-field,--charges", choice.set,
              "charges and radii: amber (ff14SB, OL15, OL3), charmm (CHARMM36), parse or gasteiger (estimated)")
      .one_of({"amber", "charmm", "parse", "gasteiger", "ff14sb", "charmm36"});
  command.option("--ph", choice.ph, "states of ASP, GLU, HIS, CYS, TYR, LYS and ARG by their model pKa")
      .range(0.0, 14.0);
  command
      .option("--protonation", choice.protonation,
              "states of residues: lines of chain, residue number and state (A 57 HIP); propka runs PROPKA")
      .type_name("FILE|propka");
  add_build_missing(command, choice.build_missing);
  command.flag("--neutral-ends", choice.neutral_ends, "NH2 and COOH at the ends of proteins, instead of NH3+ and COO-");
  command
      .option("--radii", choice.radii,
              "own (those of the charges), bondi, mbondi or mbondi2 (Bondi's with AMBER's for hydrogens)")
      .one_of({"own", "bondi", "mbondi", "mbondi2"});
}

PreparedStructure prepared_by(Run& run, const Molecule& molecule, const ChargeChoice& choice, std::size_t frame) {
  ChargeOptions options;
  options.set = set_of(choice.set);
  options.radii = radii_of(choice.radii);
  options.ph = choice.ph;
  options.neutral_ends = choice.neutral_ends;
  options.frame = frame;
  options.build_missing = choice.build_missing;
  options.estimate_all = choice.set == "gasteiger";
  if (choice.protonation == "propka") {
    if (choice.build_missing) {  // PROPKA leaves out what is not whole
      const PreparedStructure whole = prepare_charges(molecule, options);
      options.protonation = propka_states(whole.molecule, 0, choice.ph, run.job());
    } else {
      options.protonation = propka_states(molecule, frame, choice.ph, run.job());
    }
  } else if (!choice.protonation.empty()) {
    run.report.input(choice.protonation);
    options.protonation = read_protonation(choice.protonation);
  }
  PreparedStructure prepared = prepare_charges(molecule, options);
  const std::vector<std::string> odd = odd_charges(prepared);
  report_charges(run.report, prepared, choice, options, odd);
  say_issues(run, prepared);
  if (!odd.empty()) {
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(odd.size(), 5));
    run.say(fmt::format("warning: charges that are not near an integer: {}{}",
                        fmt::join(odd.begin(), odd.begin() + shown, "; "), odd.size() > 5 ? "; ..." : ""));
  }
  const std::size_t all = molecule.topology->residues.size();
  std::size_t residues = 0;
  for (const PreparedResidue& residue : prepared.residues) residues += !residue.state.empty();
  if (options.estimate_all) residues = prepared.residues.size();
  if (choice.build_missing) {
    std::size_t atoms = 0, clashes = 0;
    for (const BuiltSideChain& built : prepared.side_chains) {
      atoms += built.atoms.size();
      clashes += built.clashes > 0;
    }
    run.say(fmt::format("{} of {} side chains were built, {} with clashes", counted(atoms, "atom"),
                        prepared.side_chains.size(), clashes));
  }
  run.say(fmt::format("{} of {} residues have charges of {}: {} hydrogens built, {} kept, total charge {:.4g} e",
                      residues, all, options.estimate_all ? "gasteiger" : charge_set_name(options.set),
                      prepared.added_hydrogens, prepared.kept_hydrogens,
                      std::abs(prepared.charge) < 5e-5 ? 0.0 : prepared.charge));
  return prepared;
}

void add_charge_set_option(Verb command, UsualCharges& charges) {
  command
      .option(
          "--force-field,--charge-set", charges.set,
          "charges: file, amber, charmm, parse, gasteiger (estimated) or FILE.csv[:COLUMN] (default: the file's; amber "
          "for proteins and nucleic acids without)")
      .type_name("NAME|FILE.csv");
  add_build_missing(command, charges.build_missing);
}

std::shared_ptr<const Molecule> with_usual_charges(Run& run, std::shared_ptr<const Molecule> molecule,
                                                   const UsualCharges& charges, std::size_t frame) {
  const std::string& set = charges.set;
  check_charge_set(set);
  if (charges.build_missing && (set == "file" || is_charge_table(set))) {
    throw Error(
        "--build-missing goes with charges of tables (--force-field amber, charmm, parse or gasteiger), not " + set,
        Error::Kind::usage);
  }
  if (!molecule->topology || molecule->frame_count() == 0) return molecule;
  if (set == "file") {
    if (molecule->topology->has_charges) return molecule;
    throw Error("--charge-set file: the file has no charges; amber, charmm, parse and gasteiger make some",
                Error::Kind::usage);
  }
  if (is_charge_table(set)) return with_charges_of_csv(run, *molecule, set);
  const bool plain = !molecule->topology->has_charges && molecule->orbitals.empty();
  if (set.empty() && !(plain && has_known_polymer(*molecule->topology))) {
    if (!charges.build_missing) return molecule;
    throw Error(
        molecule->topology->has_charges
            ? "--build-missing: the file has charges of its own, and built atoms would have none; name a set of "
              "tables (--force-field)"
            : "--build-missing builds side chains of proteins, and there are none",
        Error::Kind::usage);
  }
  ChargeChoice choice;
  choice.set = set.empty() ? "amber" : set;
  choice.build_missing = charges.build_missing;
  if (set.empty())
    run.say(
        fmt::format("note: {} has no charges: hydrogens and charges of AMBER ff14SB are used (--force-field chooses; "
                    "isolume compute charges writes them)",
                    molecule->paths.empty() ? "the molecule" : molecule->paths.front()));
  const PreparedStructure prepared = prepared_by(run, *molecule, choice, frame);
  return std::make_shared<const Molecule>(with_all_frames(prepared, *molecule, frame));
}

std::string residue_table(const PreparedStructure& prepared) {
  const Topology& topology = *prepared.molecule.topology;
  std::string text = "chain,number,residue,state,charge (e),why\n";
  for (std::size_t r = 0; r < prepared.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    const PreparedResidue& made = prepared.residues[r];
    text += fmt::format("{},{}{},{},{},{:.4f},{}\n", topology.chains[residue.chain].id, residue.number,
                        residue.insertion == ' ' ? "" : std::string(1, residue.insertion), residue.name, made.state,
                        std::abs(made.charge) < 5e-5 ? 0.0 : made.charge, made.why);
  }
  return text;
}

}  // namespace isolume::cli
