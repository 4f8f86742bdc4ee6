#include "kernels/cuda_code.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace mantissa {
namespace {

/// One of CMake's: "90" has machine code and PTX, "90-real" the former, "90-virtual" the latter.
struct Architecture {
  int capability = 0;
  bool machine = true, ptx = true;
  bool alone = false;  ///< "90a": of this capability only

  /// Machine code runs on later cards of its generation, PTX on every later card.
  bool later(int card) const { return alone ? capability == card : capability <= card; }
  bool runs_on(int card) const { return machine && later(card) && capability / 10 == card / 10; }
  bool compiles_for(int card) const { return ptx && later(card); }
};

std::vector<Architecture> parsed(std::string_view text) {
  std::vector<Architecture> list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(",;"), text.size());
    const std::string_view word = text.substr(0, end);
    Architecture one;
    const auto [rest, error] =
        std::from_chars(word.data(), word.data() + word.size(), one.capability);
    if (error == std::errc()) {
      const std::string_view form = word.substr(static_cast<std::size_t>(rest - word.data()));
      one.alone = form.starts_with('a');
      one.machine = !form.ends_with("-virtual");
      one.ptx = !form.ends_with("-real");
      list.push_back(one);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

}  // namespace

CardCode card_code(std::string_view architectures, int capability) {
  CardCode best = CardCode::none;
  for (const Architecture& a : parsed(architectures)) {
    if (a.runs_on(capability)) {
      return CardCode::machine;
    }
    best = a.compiles_for(capability) ? CardCode::compiled : best;
  }
  return best;
}

int code_capability(std::string_view architectures, int capability) {
  int machine = 0, compiled = 0;
  for (const Architecture& a : parsed(architectures)) {
    machine = a.runs_on(capability) ? std::max(machine, a.capability) : machine;
    compiled = a.compiles_for(capability) ? std::max(compiled, a.capability) : compiled;
  }
  return machine > 0 ? machine : compiled;
}

std::string capabilities_text(std::string_view architectures) {
  std::string text;
  for (const Architecture& a : parsed(architectures)) {
    text += (text.empty() ? "" : ", ") + std::to_string(a.capability / 10) + "." +
            std::to_string(a.capability % 10) + (a.alone ? "a" : "");
  }
  return text;
}

}  // namespace mantissa
