#include "engine/readers/name_table.h"

#include <algorithm>
#include <optional>

#include "engine/core/glob.h"
#include "engine/io/family.h"
#include "engine/io/module_path.h"

namespace mantissa {
namespace {

constexpr std::string_view kWeight = ".weight";
constexpr std::string_view kFamilyHead = "{comfyui}";

/// A module as a rule names it.
struct RuledModule {
  std::string path;                  ///< in the rule's naming
  std::vector<std::string> targets;  ///< adapter paths
  bool exchanged = false;            ///< its halves are the other way round in checkpoints
  std::optional<FusedModule> share;  ///< of a module of the checkpoints
};

/// Paths of everything with a weight in a part, canonical.
std::vector<std::string> weighted_paths(const WeightSource& base, Part part) {
  std::vector<std::string> paths;
  if (!base.has_part(part)) {
    return paths;
  }
  for (const std::string& name : base.names(part)) {
    if (name.ends_with(kWeight)) {
      paths.push_back(name.substr(0, name.size() - kWeight.size()));
    }
  }
  return paths;
}

std::vector<RuledModule> diffusers_paths(const WeightSource& base, Part part) {
  const ModelNames& names = *base.model_names();
  std::vector<RuledModule> list;
  for (const std::string& path : weighted_paths(base, part)) {
    list.push_back({path,
                    {module_path(part, path)},
                    names.swapped(part, path).has_value(),
                    names.fused(part, path)});
  }
  return list;
}

/// Original paths, those of fused modules with all their shares.
std::vector<RuledModule> checkpoint_paths(const WeightSource& base, Part part) {
  const ModelNames& names = *base.model_names();
  std::vector<RuledModule> list;
  std::map<std::string, std::vector<std::string>> fused;
  for (const std::string& path : weighted_paths(base, part)) {
    const std::string target = module_path(part, path);
    if (const auto whole = names.fused(part, path)) {
      auto& slices = fused[whole->path];
      slices.resize(static_cast<std::size_t>(whole->slices));
      std::fill_n(slices.begin() + whole->slice, whole->span, target);
    } else if (const auto original = names.original(part, path)) {
      list.push_back({*original, {target}});
    } else if (const auto exchanged = names.swapped(part, path)) {
      list.push_back({*exchanged, {target}, true});
    }
  }
  for (auto& [path, slices] : fused) {
    if (std::ranges::none_of(slices, &std::string::empty)) {
      slices.erase(std::unique(slices.begin(), slices.end()), slices.end());  // several of one
      list.push_back({path, std::move(slices)});
    }
  }
  return list;
}

bool is_named(const NameRule& rule, std::string_view path) {
  const auto matches = [&](std::string_view glob) { return glob_match(glob, path); };
  return (rule.only.empty() || any_word(rule.only, matches)) && !any_word(rule.except, matches);
}

/// A module's name by a rule; empty if it has none.
std::optional<std::string> name_by(const NameRule& rule, std::string_view head,
                                   std::string_view path) {
  if (!is_named(rule, path)) {
    return std::nullopt;
  }
  std::string body(path);
  if (!rule.omits.empty()) {
    if (!body.starts_with(rule.omits)) {
      return std::nullopt;
    }
    body.erase(0, rule.omits.size());
  }
  for (const PathEdit& edit : rule.edits) {
    if (const auto at = body.find(edit.from); at != std::string::npos) {
      body.replace(at, edit.from.size(), edit.to);
      break;
    }
  }
  if (rule.underscores) {
    std::ranges::replace(body, '.', '_');
  }
  return std::string(head) + body;
}

ReaderTarget target_by(const NameRule& rule, const RuledModule& module) {
  ReaderTarget target{module.targets, &rule};
  target.exchanged =
      module.exchanged && (rule.paths == ReaderPaths::checkpoint || rule.ignores_exchange);
  if (rule.shares != ReaderShares::any) {
    target.share = module.share;
  }
  return target;
}

}  // namespace

ReaderNames::ReaderNames(std::span<const NameRule> rules, const WeightSource& base) {
  const Family& family = base.family();
  std::map<std::pair<Part, ReaderPaths>, std::vector<RuledModule>> paths;
  for (const NameRule& rule : rules) {
    const PartFiles* files = family.part(rule.part);
    if (files == nullptr ||
        (!rule.families.empty() && !has_word(rule.families, family.id().name()))) {
      continue;
    }
    const std::string_view head =
        rule.head == kFamilyHead ? base.model_names()->comfyui(rule.part) : rule.head;
    if (rule.head == kFamilyHead && head.empty()) {
      continue;
    }
    const auto [at, added] = paths.try_emplace({rule.part, rule.paths});
    if (added) {
      at->second = rule.paths == ReaderPaths::diffusers ? diffusers_paths(base, rule.part)
                                                        : checkpoint_paths(base, rule.part);
    }
    for (const RuledModule& module : at->second) {
      if (auto name = name_by(rule, head, module.path)) {
        table_.insert_or_assign(std::move(*name), target_by(rule, module));
      }
    }
  }
}

const ReaderTarget* ReaderNames::find(std::string_view module) const {
  const auto it = table_.find(module);
  return it == table_.end() ? nullptr : &it->second;
}

}  // namespace mantissa
