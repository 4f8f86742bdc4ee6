#include "engine/run/run_name.h"

#include <cstddef>

#include "engine/preset/schema.h"

namespace mantissa {
namespace {

constexpr std::size_t kLongestSlug = 24;

/// ASCII letters and digits; whatever stands between them is one hyphen.
std::string words_of(const std::string& text) {
  std::string slug;
  for (char c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    if (slug.size() >= kLongestSlug) {
      break;
    }
  }
  while (!slug.empty() && slug.back() == '-') {
    slug.pop_back();
  }
  return slug;
}

bool named_by_preset(const Preset& preset) {
  return is_default(preset, "output.name") && !preset.name.empty();
}

}  // namespace

std::string run_name(const Preset& preset) {
  return named_by_preset(preset) ? preset.name : preset.output.name;
}

std::string run_slug(const Preset& preset) {
  const std::string words = named_by_preset(preset) ? words_of(preset.name) : "";
  return words.empty() ? preset.output.name : words;
}

}  // namespace mantissa
