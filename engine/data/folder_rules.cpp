#include "engine/data/folder_rules.h"

#include <algorithm>

#include "engine/data/folder_repeats.h"
#include "engine/io/composed_name.h"

namespace mantissa {
namespace {

const FolderRule* rule_of(const ImageItem& item, const std::vector<FolderRule>& rules) {
  for (const std::string& folder : folders_around(item)) {
    const auto rule = std::ranges::find(rules, composed(folder),
                                        [](const FolderRule& r) { return composed(r.folder); });
    if (rule != rules.end()) {
      return &*rule;
    }
  }
  return nullptr;
}

void take_figures(ImageItem& item, const FolderRule& rule) {
  item.repeats = rule.repeats > 0 ? rule.repeats : item.repeats;
  item.weight = rule.weight;
  item.resolution = rule.resolution;
}

}  // namespace

std::set<const FolderRule*> apply_folder_rules(std::vector<ImageItem>& items,
                                               const std::vector<FolderRule>& rules) {
  std::set<const FolderRule*> used;
  if (rules.empty()) {
    return used;
  }
  for (ImageItem& item : items) {
    const FolderRule* rule = rule_of(item, rules);
    if (rule == nullptr) {
      continue;
    }
    used.insert(rule);
    take_figures(item, *rule);
    if (!rule->prefix.empty()) {
      item.caption = item.caption.empty() ? rule->prefix : rule->prefix + " " + item.caption;
    }
  }
  return used;
}

void count_folders_again(std::vector<ImageItem>& items, const Preset::Data& data) {
  for (ImageItem& item : items) {
    item.repeats = data.folder_repeats ? std::max(named_repeats(item).value_or(1), 1) : 1;
    item.weight = 1;
    item.resolution = 0;
    if (const FolderRule* rule = rule_of(item, data.folders)) {
      take_figures(item, *rule);
    }
  }
}

}  // namespace mantissa
