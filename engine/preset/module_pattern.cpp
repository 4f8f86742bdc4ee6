#include "engine/preset/module_pattern.h"

#include "engine/core/glob.h"
#include "engine/preset/part.h"

namespace mantissa {
namespace {

/// The text after "denoiser." or another name of it; empty for anything else.
std::string_view below_denoiser(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string_view head = text.substr(0, dot);
  const bool fits = dot != std::string_view::npos && head.size() <= Part::kLongest;
  return fits && part_called(head) == kDenoiser ? text.substr(dot + 1) : std::string_view();
}

}  // namespace

bool names_module(std::string_view pattern, std::string_view path) {
  const std::string_view wanted = below_denoiser(pattern), own = below_denoiser(path);
  return wanted.empty() || own.empty() ? glob_match(pattern, path) : glob_match(wanted, own);
}

}  // namespace mantissa
