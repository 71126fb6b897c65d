// What verbs of the density read first: the orbitals of a frame, and the charges of their nuclei, less effective cores.
#include "app/cli/quantum/nuclei.h"

#include <fmt/format.h>

#include <numeric>

#include "app/cli/compute/orbital_choice.h"
#include "app/documents/nuclear_charges.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

void take_core(const Molecule& molecule, const std::string& core, std::vector<double>& charges) {
  const std::size_t colon = core.find(':');
  const std::string name = core.substr(0, colon);
  const auto electrons = colon == std::string::npos ? std::nullopt : parse_real(core.substr(colon + 1));
  const auto number = parse_integer(name);
  const std::uint8_t element = number ? std::uint8_t{0} : element_from_symbol(name);
  if (!electrons || !(*electrons >= 0) || (!number && element == 0))
    throw Error(fmt::format("--cores {}: expected an element or the number of an atom, and the electrons of its core: "
                            "I:28",
                            core),
                Error::Kind::usage);
  bool found = false;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const int z = molecule.topology->atoms[i].element;
    if (number ? static_cast<std::int64_t>(i + 1) != *number : z != element) continue;
    found = true;
    charges[i] = z - *electrons;
    if (charges[i] < 0)
      throw Error(fmt::format("--cores {}: atom {} has {} electrons", core, i + 1, z), Error::Kind::usage);
  }
  if (!found) throw Error(fmt::format("--cores {}: the file has no such atom", core), Error::Kind::usage);
}

}  // namespace

std::vector<double> nuclear_charges(Run& run, const Molecule& molecule, const Orbitals& orbitals,
                                    const std::vector<std::string>& cores) {
  std::vector<double> charges = charges_of_nuclei(molecule, orbitals);
  for (const std::string& core : cores) take_core(molecule, core, charges);
  check_cores(charges, orbitals, ". Name them, for example --cores I:28");
  run.report.result["nuclear_charges"] = charges;
  run.report.result["total_charge"] = std::accumulate(charges.begin(), charges.end(), 0.0) - orbitals.electron_count();
  return charges;
}

void add_cores_option(Verb command, std::vector<std::string>& cores) {
  command
      .option("--cores", cores,
              "electrons of effective cores where the file does not say them: of an element or an atom (from 1), "
              "I:28,Au:60")
      .delimiter(',')
      .repeated();
}

void on_cpu_alone(Run& run, const Common& common, const std::string& what) {
  if (common.device.starts_with("cuda"))
    throw Error(
        fmt::format("--device {}: {} is computed on the processor alone; leave --device out", common.device, what),
        Error::Kind::usage);
  run.device = Device::cpu();
  run.report.device(run.device);
}

OccupiedFrame read_occupied(Run& run, const std::vector<std::string>& files, std::optional<std::size_t> frame,
                            bool force, const std::string& what) {
  run.report.device(run.device);
  for (const std::string& file : files) run.report.input(file);
  OccupiedFrame read;
  read.molecule = read_molecule(files);
  read.frame = frame.value_or(first_frame_with_orbitals(*read.molecule));
  read.orbitals = orbitals_of(*read.molecule, read.frame);
  check_reading(run, *read.molecule, *read.orbitals, true, force, read.warnings);
  if (!(read.orbitals->electron_count() > 0))
    throw Error(what + ": no orbital of this frame is occupied", Error::Kind::usage);
  return read;
}

}  // namespace isolume::cli
