#include "engine/io/module_path.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/glob.h"
#include "engine/io/family.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace {

std::string_view head_of(std::string_view path) {
  return path.substr(0, path.find('.'));
}

std::string_view below_head(std::string_view path) {
  const std::size_t dot = path.find('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
}

/// Whether it is a part's own name: "denoiser", "vae", "te1", or a family's.
bool is_own_name(std::string_view head) {
  if (head.size() > Part::kLongest) {
    return false;
  }
  const Part part(head);
  const bool numbered =
      head.size() == 3 && head.starts_with("te") && head[2] >= '1' && head[2] <= '9';
  return part == kDenoiser || part == kVae || numbered ||
         std::ranges::any_of(families(),
                             [&](const Family* family) { return family->part(part) != nullptr; });
}

bool matches_under(std::string_view pattern, std::string_view head, std::string_view below) {
  return glob_match(pattern, std::string(head).append(1, '.').append(below));
}

}  // namespace

std::string module_path(Part part, std::string_view below) {
  std::string path(part.name());
  return below.empty() ? path : path.append(1, '.').append(below);
}

std::optional<Part> part_of_head(std::string_view head) {
  return is_own_name(head) ? std::optional(Part(head)) : part_of_folder(head);
}

PathInPart split_path(std::string_view path) {
  const std::string_view head = head_of(path);
  const std::optional<Part> part = part_of_head(head);
  if (!part && (head.empty() || head.size() > Part::kLongest)) {
    throw Error(Message::verbatim(std::string(path) +
                                  ": a path begins with the name of its part, as \"vae.\""));
  }
  return {part.value_or(Part(part ? std::string_view() : head)), below_head(path)};
}

std::string canonical_path(std::string_view path) {
  const std::optional<Part> part = part_of_head(head_of(path));
  return part ? std::string(part->name()).append(path.substr(head_of(path).size()))
              : std::string(path);
}

std::string traced_path(std::string_view path) {
  return part_folder(split_path(path).part).append(path.substr(head_of(path).size()));
}

bool names_module(std::string_view pattern, std::string_view path) {
  const PathInPart module = split_path(path);
  if (module.below.empty()) {
    return glob_match(pattern, path);
  }
  const std::optional<Part> named = part_of_head(head_of(pattern));
  if (named && !below_head(pattern).empty()) {
    return *named == module.part && glob_match(below_head(pattern), module.below);
  }
  // A pattern that begins with a wildcard sees the heads that it saw when it was written: "*noise*"
  // is no name for every module of the denoiser.
  return matches_under(pattern, part_name(module.part), module.below) ||
         matches_under(pattern, part_folder(module.part), module.below) ||
         (!pattern.starts_with('*') && matches_under(pattern, module.part.name(), module.below));
}

}  // namespace mantissa
