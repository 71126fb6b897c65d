// The options of the window, for telling them from words that nobody knows.
#include "app/cli/window_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace isolume::cli {
namespace {

struct WindowOption {
  std::string_view name;
  bool has_value;
};

constexpr std::array own{WindowOption{"device", true},     WindowOption{"theme", true},
                         WindowOption{"reuse", false},     WindowOption{"watch", false},
                         WindowOption{"safe-mode", false}, WindowOption{"no-safe-mode", false},
                         WindowOption{"help", false}};

// What QApplication takes away before the window sees it (Qt 6, QGuiApplication and QApplication).
constexpr std::array of_qt{WindowOption{"platform", true},        WindowOption{"platformpluginpath", true},
                           WindowOption{"platformtheme", true},   WindowOption{"plugin", true},
                           WindowOption{"qwindowgeometry", true}, WindowOption{"qwindowicon", true},
                           WindowOption{"qwindowtitle", true},    WindowOption{"session", true},
                           WindowOption{"display", true},         WindowOption{"geometry", true},
                           WindowOption{"style", true},           WindowOption{"stylesheet", true},
                           WindowOption{"reverse", false},        WindowOption{"qmljsdebugger", true},
                           WindowOption{"nograb", false},         WindowOption{"sync", false},
                           WindowOption{"measure-start", false}};

const WindowOption* find(std::string_view name) {
  for (const auto& option : own)
    if (option.name == name) return &option;
  for (const auto& option : of_qt)
    if (option.name == name) return &option;
  return nullptr;
}

}  // namespace

std::string unknown_window_option(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") break;
    if (word.size() < 2 || word[0] != '-') continue;
    const bool has_value = word.find('=') != std::string::npos;
    const std::string name = word.substr(0, word.find('=')).substr(word.starts_with("--") ? 2 : 1);
    const WindowOption* option = find(name == "h" || name == "?" ? "help" : std::string_view(name));
    if (!option) return word;
    if (option->has_value && !has_value) ++i;
  }
  return {};
}

std::string window_options() {
  std::vector<std::string> names;
  for (const auto& option : own) names.push_back(fmt::format("--{}", option.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace isolume::cli
