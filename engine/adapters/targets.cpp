#include "engine/adapters/targets.h"

#include <algorithm>

#include "engine/io/module_path.h"

namespace mantissa {

TargetKind AdapterTargets::kind_of(Part part, std::string_view path) const {
  for (const PartFiles& files : parts_) {
    if (files.part == part) {
      return target_kind(files.targets, split_path(path).below);
    }
  }
  return TargetKind::other;
}

bool AdapterTargets::keeps_frozen(Part part, std::string_view path) const {
  return std::ranges::any_of(parts_, [&](const PartFiles& files) {
    return files.part == part && files.keeps_frozen(split_path(path).below);
  });
}

bool AdapterTargets::matches(Part part, std::string_view path) const {
  if (keeps_frozen(part, path)) {
    return false;
  }
  const TargetKind kind = kind_of(part, path);
  for (const std::string& target : targets_) {
    bool wanted = false;
    if (target == "attention") {
      wanted = kind == TargetKind::attention;
    } else if (target == "attention+mlp") {
      wanted = kind == TargetKind::attention || kind == TargetKind::mlp;
    } else if (target == "linear+conv") {
      wanted = kind != TargetKind::other;
    } else {
      wanted = names_module(target, path);
    }
    if (wanted) {
      return true;
    }
  }
  return false;
}

std::string AdapterTargets::describe() const {
  std::string text;
  for (const std::string& target : targets_) {
    text += (text.empty() ? "" : ", ") + target;
  }
  return text;
}

}  // namespace mantissa
