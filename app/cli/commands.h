// The tree of subcommands: each is added by one function in its own file, and one of them is parsed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"

namespace isolume::cli {

/// The options that every subcommand takes.
struct Common {
  std::string device = "auto";
  int threads = 0;
  double memory_limit = 0;  ///< GiB, 0 for none
  std::string report;
  bool quiet = false;
  std::string command;                 ///< the whole command line as a shell takes it, for the report
  std::vector<std::string> arguments;  ///< its words
};

/// The subcommands and what each does.
class Commands {
 public:
  /// Of all subcommands, or of the one that `only` names ({"compute", "sasa"}), which is quicker to declare.
  explicit Commands(std::vector<std::string> only = {});
  ~Commands();

  /// Adds a subcommand of `parent` with the common options; `example` ends its --help. `action` runs after parsing; a
  /// subcommand without one has subcommands itself, of which one must follow.
  Verb add(Verb parent, const std::string& name, const std::string& what, const std::string& example,
           std::function<void()> action);
  /// The names of the subcommands of the program, declared or not; of one of them its own, none where it has none.
  std::vector<std::string> names(const std::string& of = {}) const;
  /// Parses a command line, and refuses one that would write over what it reads. The exit code where --help or
  /// --version is all that was asked and has been printed. Throws Error (usage), with what may have been meant.
  std::optional<int> parse(int argc, char** argv);
  /// The action of the subcommand that was parsed.
  std::function<void()> chosen() const;

 private:
  CLI::App& chosen_app() const;
  bool wants(Verb parent, const std::string& name) const;

  std::vector<std::string> only_, first_names_;

  std::unique_ptr<CLI::App> root_;
  std::map<const CLI::App*, std::function<void()>> actions_;

 public:
  const Verb app;
  Common common;
};

void add_info(Commands& commands);
void add_convert(Commands& commands);
void add_devices(Commands& commands);
void add_bench(Commands& commands);
void add_worker(Commands& commands);  ///< for --help alone: run() takes it before anything is parsed
void add_render(Commands& commands);
void add_replay(Commands& commands);
void add_compute(Commands& commands);
void add_compute_orbital(Commands& commands, Verb parent);
void add_compute_density(Commands& commands, Verb parent);
void add_compute_density_map(Commands& commands, Verb parent);
void add_compute_correlation(Commands& commands, Verb parent);
void add_compute_fit_map(Commands& commands, Verb parent);
void add_compute_energy(Commands& commands, Verb parent);
void add_compute_potential(Commands& commands, Verb parent);
void add_compute_surface(Commands& commands, Verb parent);
void add_compute_fit(Commands& commands, Verb parent);
void add_compute_sasa(Commands& commands, Verb parent);
void add_compute_charges(Commands& commands, Verb parent);
void add_compute_cavities(Commands& commands, Verb parent);

}  // namespace isolume::cli
